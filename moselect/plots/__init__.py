"""Plots of fronts, costs, predictions, model comparisons and the progress of searches."""

from moselect.plots.cost_curves import price_of_limit, referral
from moselect.plots.decision import by_group, decision
from moselect.plots.new_data import front_on_new_data
from moselect.plots.pairwise import pairwise_fronts
from moselect.plots.predictions import confusion_matrix, thresholds
from moselect.plots.progress import checks, convergence
from moselect.plots.shapes import effects, shapes
from moselect.plots.trade_off import trade_off

__all__ = [
    "by_group",
    "checks",
    "confusion_matrix",
    "convergence",
    "decision",
    "effects",
    "front_on_new_data",
    "pairwise_fronts",
    "price_of_limit",
    "referral",
    "shapes",
    "thresholds",
    "trade_off",
]
