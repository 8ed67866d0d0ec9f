"""Searching the front: the problem, the swarms, and their runs."""

from moselect.search.estimator import ParetoSearch
from moselect.search.problem import OrdinalProblem
from moselect.search.runs import (
    Callback,
    Checkpoints,
    History,
    SearchProgress,
    quick_hypervolume,
    stop_on_interrupt,
)
from moselect.search.settings import NO_LIMIT, PRESETS, SearchSettings, preset_settings
from moselect.search.swarm import State

__all__ = [
    "NO_LIMIT",
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
    "stop_on_interrupt",
]
