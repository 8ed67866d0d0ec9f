from .choice import CANDIDATES as CANDIDATES
from .cost_sensitive import (
    CostSensitiveOrdinalClassifier as CostSensitiveOrdinalClassifier,
)
from .cost_thresholds import CostThresholdClassifier as CostThresholdClassifier
from .differences import PairedDifference as PairedDifference
from .evidence import Evidence as Evidence
from .explanation import Explanation as Explanation
from .fold_measures import FoldMeasures as FoldMeasures
from .groups import GroupEstimates as GroupEstimates
from .groups import group_estimates as group_estimates
from .limits import LimitReached as LimitReached
from .monitoring import Check as Check
from .monitoring import check as check
from .selector import Decision as Decision
from .thresholds import exact_thresholds as exact_thresholds
from .thresholds import smooth_thresholds as smooth_thresholds
