"""From costs to thresholds and to one model."""

from moselect.decision.cost_sensitive import CostSensitiveOrdinalClassifier
from moselect.decision.cost_thresholds import CostThresholdClassifier
from moselect.decision.costs import (
    Loss,
    cost_matrix,
    costs_in_use,
    resolve_costs,
)
from moselect.decision.linear_rule import N_FOLDS, LinearRuleFitter
from moselect.decision.thresholds import exact_thresholds, smooth_thresholds

__all__ = [
    "N_FOLDS",
    "CostSensitiveOrdinalClassifier",
    "CostThresholdClassifier",
    "LinearRuleFitter",
    "Loss",
    "cost_matrix",
    "costs_in_use",
    "exact_thresholds",
    "resolve_costs",
    "smooth_thresholds",
]
