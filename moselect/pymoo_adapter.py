"""The bridge to pymoo: our problem for its algorithms, our swarm for its `minimize`."""

from moselect.search.pymoo_adapter import MOPSO, OrdinalProblem

__all__ = ["MOPSO", "OrdinalProblem"]
