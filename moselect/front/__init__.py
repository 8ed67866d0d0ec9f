"""What a search found: the front, its figures, and the model selected for given costs."""

from moselect.front.evidence import Evidence, SelectedClassifier
from moselect.front.front import Front
from moselect.front.holdout import measure_holdout, split_holdout
from moselect.front.selection import select, trivial_classes

__all__ = [
    "Evidence",
    "Front",
    "SelectedClassifier",
    "measure_holdout",
    "select",
    "split_holdout",
    "trivial_classes",
]
