"""Searching the front: problem, swarms, runs, and what they find."""

from moselect.search.cost_sensitivity import CostSensitivity, cost_sensitivity, solved_costs
from moselect.search.estimator import ParetoSearch
from moselect.search.front import Front
from moselect.search.history import History
from moselect.search.objectives import OBJECTIVE_WORDS, OBJECTIVES
from moselect.search.problem import OrdinalProblem
from moselect.search.runs import Progress
from moselect.search.selection import SelectedClassifier, SelectionReport
from moselect.search.settings import PRESETS, preset_settings
from moselect.search.state import State

__all__ = [
    "OBJECTIVES",
    "OBJECTIVE_WORDS",
    "PRESETS",
    "CostSensitivity",
    "Front",
    "History",
    "OrdinalProblem",
    "ParetoSearch",
    "Progress",
    "SelectedClassifier",
    "SelectionReport",
    "State",
    "cost_sensitivity",
    "preset_settings",
    "solved_costs",
]
