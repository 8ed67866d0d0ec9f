"""Pictures of fronts, of what their models cost and predict, of rankings, and of searches."""

from moselect.plots.compared_models import model_front
from moselect.plots.confusion_matrix import confusion_matrix
from moselect.plots.convergence import convergence
from moselect.plots.cost_curve import cost_curve
from moselect.plots.decision import conditions, decision
from moselect.plots.pairwise import pairwise_fronts
from moselect.plots.roc_surface import roc_surface
from moselect.plots.shapes import shapes

__all__ = [
    "conditions",
    "confusion_matrix",
    "convergence",
    "cost_curve",
    "decision",
    "model_front",
    "pairwise_fronts",
    "roc_surface",
    "shapes",
]
