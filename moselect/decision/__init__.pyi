from .cost_sensitive import CostSensitiveOrdinalClassifier
from .cost_thresholds import CostThresholdClassifier
from .costs import Costs, Loss, cost_matrix
from .decision import Decision
from .differences import PairedDifference
from .evidence import Evidence, SelectedClassifier, SelectedPool
from .kinds import KINDS
from .limits import LimitReached
from .linear.thresholds import exact_thresholds, smooth_thresholds

__all__ = [
    "KINDS",
    "CostSensitiveOrdinalClassifier",
    "CostThresholdClassifier",
    "Costs",
    "Decision",
    "Evidence",
    "LimitReached",
    "Loss",
    "PairedDifference",
    "SelectedClassifier",
    "SelectedPool",
    "cost_matrix",
    "exact_thresholds",
    "smooth_thresholds",
]
