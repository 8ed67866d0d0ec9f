"""From costs to thresholds and to one model."""

from moselect.decision.costs import Loss, check_cost_matrix, cost_matrix, resolve_costs
from moselect.decision.thresholds import exact_thresholds

__all__ = ["Loss", "check_cost_matrix", "cost_matrix", "exact_thresholds", "resolve_costs"]
