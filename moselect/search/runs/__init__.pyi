from .history import History
from .interrupt import stop_on_interrupt
from .parallel import Callback, Checkpoints, SearchProgress, search_runs, threads_of_a_run
from .plan import make_plan
from .run import quick_hypervolume
from .staged_run import Stage

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
