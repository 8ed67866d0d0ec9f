"""From costs to thresholds and to one model."""

from moselect.decision.cost_sensitive import CostSensitiveOrdinalClassifier
from moselect.decision.cost_thresholds import CostThresholdClassifier
from moselect.decision.costs import Costs, Loss, ResolvedCosts, as_costs, cost_matrix
from moselect.decision.evidence import (
    PairedDifference,
    gain_verdict,
    paired_gain,
    paired_saving,
    verdict,
)
from moselect.decision.expected import Expected, expected_objectives
from moselect.decision.figures import Figures, rule_figures
from moselect.decision.folded_samples import deal_folds, trivial_classes
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
    "deal_folds",
    "exact_thresholds",
    "exact_thresholds_from_counts",
    "expected_objectives",
    "gain_verdict",
    "paired_gain",
    "paired_saving",
    "preference_goal",
    "preference_weights",
    "rule_figures",
    "smooth_thresholds",
    "trivial_classes",
    "verdict",
]
