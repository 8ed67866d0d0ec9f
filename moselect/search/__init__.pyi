from .evaluation import measure_holdout as measure_holdout
from .front import Front as Front
from .ordinal_problem import OrdinalProblem as OrdinalProblem
from .parallel_runs import RunStates as RunStates
from .settings import SearchSettings as SearchSettings
from .swarm_run import Callback as Callback
from .swarm_run import History as History
from .swarm_run import SearchProgress as SearchProgress
