"""From costs to thresholds and to one model."""

from moselect.decision.cost_sensitive import CostSensitiveOrdinalClassifier
from moselect.decision.cost_thresholds import CostThresholdClassifier
from moselect.decision.costs import Costs, Loss, ResolvedCosts, as_costs, cost_matrix
from moselect.decision.evidence import PairedDifference, paired_gain, paired_saving, verdict
from moselect.decision.expected import Expected, expected_objectives
from moselect.decision.figures import Figures, rule_figures
from moselect.decision.folded_samples import N_FOLDS
from moselect.decision.goal import Goal
from moselect.decision.linear_rule import LinearRule, LinearRuleFitter
from moselect.decision.preferences import preference_goal, preference_weights
from moselect.decision.thresholds import (
    averaged_thresholds,
    exact_thresholds,
    smooth_thresholds,
)
from moselect.decision.thresholds_from_counts import (
    BinnedThresholds,
    exact_thresholds_from_counts,
)

__all__ = [
    "N_FOLDS",
    "BinnedThresholds",
    "CostSensitiveOrdinalClassifier",
    "CostThresholdClassifier",
    "Costs",
    "Expected",
    "Figures",
    "Goal",
    "LinearRule",
    "LinearRuleFitter",
    "Loss",
    "PairedDifference",
    "ResolvedCosts",
    "as_costs",
    "averaged_thresholds",
    "cost_matrix",
    "exact_thresholds",
    "exact_thresholds_from_counts",
    "expected_objectives",
    "paired_gain",
    "paired_saving",
    "preference_goal",
    "preference_weights",
    "rule_figures",
    "smooth_thresholds",
    "verdict",
]
