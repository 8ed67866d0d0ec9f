from .comparison import compare as compare
from .evidence import Evidence as Evidence
from .pareto_search import ParetoSearch as ParetoSearch
from .selector import Selector as Selector
