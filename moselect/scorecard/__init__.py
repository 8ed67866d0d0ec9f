"""Few conditions with small whole points: a model on an index card."""

from moselect.scorecard.estimator import Scorecard

__all__ = ["Scorecard"]
