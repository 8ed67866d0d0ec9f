"""The runs of a search: one, several side by side, interrupted, resumed, and recorded."""

from moselect.search.runs.history import History
from moselect.search.runs.interrupt import stop_on_interrupt
from moselect.search.runs.parallel import (
    Callback,
    Checkpoints,
    SearchProgress,
    search_runs,
    threads_of_a_run,
)
from moselect.search.runs.plan import make_plan
from moselect.search.runs.run import quick_hypervolume
from moselect.search.runs.staged_run import Stage

__all__ = [
    "Callback",
    "Checkpoints",
    "History",
    "SearchProgress",
    "Stage",
    "make_plan",
    "quick_hypervolume",
    "search_runs",
    "stop_on_interrupt",
    "threads_of_a_run",
]
