from .mopso import MOPSO as MOPSO
from .problem import OrdinalProblem as OrdinalProblem
