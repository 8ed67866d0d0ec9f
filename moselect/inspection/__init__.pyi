from .explanation import Explanation as Explanation
from .fold_measures import FoldMeasures as FoldMeasures
from .groups import GroupEstimates as GroupEstimates
from .groups import group_estimates as group_estimates
