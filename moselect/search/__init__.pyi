from .estimator import ParetoSearch as ParetoSearch
from .ordinal_problem import OrdinalProblem as OrdinalProblem
from .parallel_runs import RunStates as RunStates
from .progress import Callback as Callback
from .progress import History as History
from .progress import SearchProgress as SearchProgress
from .settings import SearchSettings as SearchSettings
