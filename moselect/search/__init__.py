"""Searching the front: the problem, the swarms, and their runs."""

from moselect.search.estimator import ParetoSearch
from moselect.search.fold_search import search_folds
from moselect.search.problem import OrdinalProblem
from moselect.search.runs import (
    Callback,
    Checkpoints,
    History,
    SearchProgress,
    quick_hypervolume,
    stop_on_interrupt,
)
from moselect.search.settings import PRESETS, SearchSettings, preset_settings
from moselect.search.swarm import State

__all__ = [
    "PRESETS",
    "Callback",
    "Checkpoints",
    "History",
    "OrdinalProblem",
    "ParetoSearch",
    "SearchProgress",
    "SearchSettings",
    "State",
    "preset_settings",
    "quick_hypervolume",
    "search_folds",
    "stop_on_interrupt",
]
