from .estimator import ParetoSearch
from .problem import OrdinalProblem
from .runs import (
    Callback,
    Checkpoints,
    History,
    SearchProgress,
    quick_hypervolume,
    stop_on_interrupt,
)
from .settings import (
    MOST_JOBS,
    MOST_PARTICLES,
    MOST_RUNS,
    NO_LIMIT,
    PRESETS,
    SearchSettings,
    preset_settings,
)
from .swarm import State

__all__ = [
    "MOST_JOBS",
    "MOST_PARTICLES",
    "MOST_RUNS",
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
