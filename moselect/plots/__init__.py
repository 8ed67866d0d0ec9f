"""Plots of fronts, costs, predictions, model comparisons and the progress of searches."""

from moselect.plots.compared_models import model_front
from moselect.plots.confusion_matrix import confusion_matrix
from moselect.plots.convergence import convergence
from moselect.plots.decision import decision, price_of_limit
from moselect.plots.groups import by_group
from moselect.plots.monthly import checks
from moselect.plots.new_data import front_on_new_data
from moselect.plots.pairwise import pairwise_fronts
from moselect.plots.score_strip import thresholds
from moselect.plots.shapes import effects, shapes
from moselect.plots.trade_off import referral, trade_off

__all__ = [
    "by_group",
    "checks",
    "confusion_matrix",
    "convergence",
    "decision",
    "effects",
    "front_on_new_data",
    "model_front",
    "pairwise_fronts",
    "price_of_limit",
    "referral",
    "shapes",
    "thresholds",
    "trade_off",
]
