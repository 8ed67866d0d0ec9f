"""Many models: the same folds, the same measures, and whether a difference means anything."""

from moselect.comparison.candidates import fit_model
from moselect.comparison.known_models import DEFAULT_MODELS, KNOWN_MODELS
from moselect.comparison.measures import DEFAULT_MEASURES, MEASURES
from moselect.comparison.result import Comparison, ModelResult
from moselect.comparison.run import compare

__all__ = [
    "DEFAULT_MEASURES",
    "DEFAULT_MODELS",
    "KNOWN_MODELS",
    "MEASURES",
    "Comparison",
    "ModelResult",
    "compare",
    "fit_model",
]
