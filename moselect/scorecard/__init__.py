"""Scorecards: sums of small integer points for a few conditions."""

from moselect.scorecard.estimator import Scorecard

__all__ = ["Scorecard"]
