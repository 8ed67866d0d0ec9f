"""Multi-objective model selection for ordinal targets.

>>> import moselect
>>> X, y = moselect.datasets.load_boston()
>>> search = moselect.ParetoSearch(n_iterations=5, random_state=1).fit(X, y)
>>> model = search.select(class_costs=[1, 1, 1, 5, 5])
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from moselect import (
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
    from moselect.comparison import Comparison, compare
    from moselect.decision import (
        Costs,
        CostSensitiveOrdinalClassifier,
        CostThresholdClassifier,
        cost_matrix,
    )
    from moselect.front import Front
    from moselect.metrics import expected_cost
    from moselect.models import OrdinalGaussianProcess, OrdinalLinearClassifier
    from moselect.scorecard import Scorecard
    from moselect.search import OrdinalProblem, ParetoSearch

__version__ = "0.2.0"

# Loaded on first use, so that the command line can answer `--help` without numba and pandas.
_PACKAGES = (
    "columns",
    "comparison",
    "datasets",
    "decision",
    "front",
    "export",
    "metrics",
    "models",
    "pareto",
    "plots",
    "pymoo_adapter",
    "report",
    "scorecard",
    "search",
    "storage",
)
_HOME = {
    "Comparison": "moselect.comparison",
    "CostSensitiveOrdinalClassifier": "moselect.decision",
    "CostThresholdClassifier": "moselect.decision",
    "Costs": "moselect.decision",
    "Front": "moselect.front",
    "OrdinalGaussianProcess": "moselect.models",
    "OrdinalLinearClassifier": "moselect.models",
    "OrdinalProblem": "moselect.search",
    "ParetoSearch": "moselect.search",
    "Scorecard": "moselect.scorecard",
    "compare": "moselect.comparison",
    "cost_matrix": "moselect.decision",
    "expected_cost": "moselect.metrics",
}

__all__ = [
    "Comparison",
    "CostSensitiveOrdinalClassifier",
    "CostThresholdClassifier",
    "Costs",
    "Front",
    "OrdinalGaussianProcess",
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


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return import_module(f"moselect.{name}")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'moselect' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
