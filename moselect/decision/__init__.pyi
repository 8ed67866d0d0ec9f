from .checking import Check as Check
from .checking import check as check
from .cost_sensitive import (
    CostSensitiveOrdinalClassifier as CostSensitiveOrdinalClassifier,
)
from .cost_thresholds import CostThresholdClassifier as CostThresholdClassifier
from .costs import Costs as Costs
from .costs import Loss as Loss
from .costs import cost_matrix as cost_matrix
from .decision import Decision as Decision
from .differences import PairedDifference as PairedDifference
from .evidence import Evidence as Evidence
from .explanation import Explanation as Explanation
from .kinds import KINDS as KINDS
from .limits import LimitReached as LimitReached
from .linear.thresholds import exact_thresholds as exact_thresholds
from .linear.thresholds import smooth_thresholds as smooth_thresholds
