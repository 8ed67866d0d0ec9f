"""From costs to thresholds and to one model."""

from moselect.decision.cost_sensitive import CostSensitiveOrdinalClassifier
from moselect.decision.cost_thresholds import CostThresholdClassifier
from moselect.decision.costs import Costs, Loss, ResolvedCosts, as_costs, cost_matrix
from moselect.decision.linear_rule import N_FOLDS, LinearRuleFitter
from moselect.decision.thresholds import exact_thresholds, smooth_thresholds

__all__ = [
    "N_FOLDS",
    "CostSensitiveOrdinalClassifier",
    "CostThresholdClassifier",
    "Costs",
    "LinearRuleFitter",
    "Loss",
    "ResolvedCosts",
    "as_costs",
    "cost_matrix",
    "exact_thresholds",
    "smooth_thresholds",
]
