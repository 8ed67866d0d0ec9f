"""Pictures of fronts, of what their models cost, and of rankings."""

from moselect.plots.cost_curve import cost_curve
from moselect.plots.front_costs import front_costs
from moselect.plots.model_front import model_front
from moselect.plots.names import OBJECTIVE_NAMES, ObjectiveName
from moselect.plots.pairwise import pairwise_fronts
from moselect.plots.roc_surface import roc_surface

__all__ = [
    "OBJECTIVE_NAMES",
    "ObjectiveName",
    "cost_curve",
    "front_costs",
    "model_front",
    "pairwise_fronts",
    "roc_surface",
]
