from .estimator import ParetoSearch
from .problem.ordinal_problem import OrdinalProblem
from .runs.parallel import Checkpoints
from .runs.progress import Callback, History, SearchProgress
from .settings import SearchSettings

__all__ = [
    "Callback",
    "Checkpoints",
    "History",
    "OrdinalProblem",
    "ParetoSearch",
    "SearchProgress",
    "SearchSettings",
]
