from .mopso import MOPSO
from .problem import OrdinalProblem

__all__ = ["MOPSO", "OrdinalProblem"]
