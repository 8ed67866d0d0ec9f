from . import (
    columns,
    comparison,
    datasets,
    decision,
    export,
    front,
    metrics,
    models,
    pareto,
    plots,
    pymoo_adapter,
    report,
    scorecard,
    search,
    storage,
)
from .comparison import Comparison, compare
from .decision import (
    Costs,
    CostSensitiveOrdinalClassifier,
    CostThresholdClassifier,
    cost_matrix,
)
from .front import Front
from .metrics import expected_cost
from .models import OrdinalLinearClassifier
from .scorecard import Scorecard
from .search import OrdinalProblem, ParetoSearch

__version__: str

__all__ = [
    "Comparison",
    "CostSensitiveOrdinalClassifier",
    "CostThresholdClassifier",
    "Costs",
    "Front",
    "OrdinalLinearClassifier",
    "OrdinalProblem",
    "ParetoSearch",
    "Scorecard",
    "__version__",
    "columns",
    "compare",
    "comparison",
    "cost_matrix",
    "datasets",
    "decision",
    "expected_cost",
    "export",
    "front",
    "metrics",
    "models",
    "pareto",
    "plots",
    "pymoo_adapter",
    "report",
    "scorecard",
    "search",
    "storage",
]
