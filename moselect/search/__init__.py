"""Searching the front: problem, swarms, runs, and what they find."""

from moselect.search.estimator import PRESETS, ParetoSearch
from moselect.search.front import Front
from moselect.search.problem import OBJECTIVES, OrdinalProblem
from moselect.search.run import Progress
from moselect.search.selection import SelectedClassifier, SelectionReport

__all__ = [
    "OBJECTIVES",
    "PRESETS",
    "Front",
    "OrdinalProblem",
    "ParetoSearch",
    "Progress",
    "SelectedClassifier",
    "SelectionReport",
]
