"""pymoo both ways: our problem for its algorithms, its algorithms for our search."""

from moselect.search.pymoo_adapter.mopso import MOPSO
from moselect.search.pymoo_adapter.problem import OrdinalProblem
from moselect.search.pymoo_adapter.swarm import PymooSwarm

__all__ = ["MOPSO", "OrdinalProblem", "PymooSwarm"]
