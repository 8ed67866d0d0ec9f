"""Pictures of fronts; they take plain tables and give a matplotlib figure."""

from moselect.plots.names import OBJECTIVE_NAMES, ObjectiveName
from moselect.plots.pairwise import pairwise_fronts

__all__ = ["OBJECTIVE_NAMES", "ObjectiveName", "pairwise_fronts"]
