from .estimator import ParetoSearch as ParetoSearch
from .problem.ordinal_problem import OrdinalProblem as OrdinalProblem
from .runs.parallel import Checkpoints as Checkpoints
from .runs.progress import Callback as Callback
from .runs.progress import History as History
from .runs.progress import SearchProgress as SearchProgress
from .settings import SearchSettings as SearchSettings
