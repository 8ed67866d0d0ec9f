"""What a search found: the front, its figures, and models selected beside it."""

from moselect.front.front import Front
from moselect.front.holdout import measure_holdout
from moselect.front.selection import Selector

__all__ = ["Front", "Selector", "measure_holdout"]
