"""What a search found: the front, its figures, and models selected beside it."""

from moselect.front.front import Front
from moselect.front.holdout import measure_holdout
from moselect.front.selection import SearchedSamples, Selector

__all__ = ["Front", "SearchedSamples", "Selector", "measure_holdout"]
