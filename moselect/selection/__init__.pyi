from .comparison import KNOWN_MODELS as KNOWN_MODELS
from .comparison import compare as compare
from .evidence import Evidence as Evidence
from .own_scores import ScoreThresholds as ScoreThresholds
from .own_scores import thresholds as thresholds
from .pareto_search import ParetoSearch as ParetoSearch
from .selector import Selector as Selector
