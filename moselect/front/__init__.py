"""What a search found: the front, its figures, and models selected from it."""

from moselect.front.cost_sensitivity import CostSensitivity, cost_sensitivity, solved_costs
from moselect.front.evidence import (
    MEMBER,
    PLUG_IN,
    RULES,
    SELECTED,
    TRIVIAL,
    Evidence,
    SelectedClassifier,
)
from moselect.front.expected import with_fold_fronts
from moselect.front.front import Front
from moselect.front.holdout import measure_holdout
from moselect.front.selection import Selector
from moselect.front.table import WEIGHT

__all__ = [
    "MEMBER",
    "PLUG_IN",
    "RULES",
    "SELECTED",
    "TRIVIAL",
    "WEIGHT",
    "CostSensitivity",
    "Evidence",
    "Front",
    "SelectedClassifier",
    "Selector",
    "cost_sensitivity",
    "measure_holdout",
    "solved_costs",
    "with_fold_fronts",
]
