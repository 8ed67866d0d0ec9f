from .cost_sensitive import CostSensitiveOrdinalClassifier
from .cost_thresholds import CostThresholdClassifier
from .costs import Costs, Loss, ResolvedCosts, as_costs, cost_matrix, given_costs
from .evidence import (
    PairedDifference,
    gain_verdict,
    paired_gain,
    paired_saving,
    standard_errors,
    verdict,
)
from .expected import Expected, expected_objectives
from .figures import Figures, rule_figures
from .folded_samples import trivial_classes
from .goal import Goal
from .linear_rule import LinearRule, LinearRuleFitter
from .preferences import preference_goal, preference_weights
from .thresholds import averaged_thresholds, exact_thresholds, smooth_thresholds

__all__ = [
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
    "expected_objectives",
    "gain_verdict",
    "given_costs",
    "paired_gain",
    "paired_saving",
    "preference_goal",
    "preference_weights",
    "rule_figures",
    "smooth_thresholds",
    "standard_errors",
    "trivial_classes",
    "verdict",
]
