from .mopso import MOPSO
from .problem import OrdinalProblem
from .swarm import PymooSwarm

__all__ = [
    "MOPSO",
    "OrdinalProblem",
    "PymooSwarm",
]
