from .costs import Costs as Costs
from .costs import Loss as Loss
from .costs import cost_matrix as cost_matrix
from .limits import LimitReached as LimitReached
from .thresholds import exact_thresholds as exact_thresholds
