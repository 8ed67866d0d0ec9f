"""Results of a search: the front, its estimates, and model selection."""

from moselect.front.evaluation import measure_holdout
from moselect.front.front import Front
from moselect.front.selection import Selector

__all__ = ["Front", "Selector", "measure_holdout"]
