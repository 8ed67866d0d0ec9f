"""From costs to thresholds and to one model."""

from moselect.decision.cost_sensitive import CostSensitiveOrdinalClassifier
from moselect.decision.cost_thresholds import CostThresholdClassifier
from moselect.decision.costs import (
    Loss,
    cost_matrix,
    costs_in_use,
    resolve_costs,
)
from moselect.decision.thresholds import exact_thresholds, smooth_thresholds

__all__ = [
    "CostSensitiveOrdinalClassifier",
    "CostThresholdClassifier",
    "Loss",
    "cost_matrix",
    "costs_in_use",
    "exact_thresholds",
    "resolve_costs",
    "smooth_thresholds",
]
