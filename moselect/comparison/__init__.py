"""Many models: the same folds, the same measures, and whether a difference means anything."""

from moselect.comparison.candidates import fit_model
from moselect.comparison.complexity import count_terms, simplest_verdict
from moselect.comparison.costs import cost_verdict
from moselect.comparison.differences import corrected_t_test, holm, pooled_ranking_test
from moselect.comparison.folds import Fold, stratified_folds
from moselect.comparison.held_out import HeldOut, ModelResult
from moselect.comparison.known_models import DEFAULT_MODELS, KNOWN_MODELS, known_models
from moselect.comparison.measures import DEFAULT_MEASURES, MEASURES, find_measures
from moselect.comparison.result import Comparison
from moselect.comparison.run import Progress, compare

__all__ = [
    "DEFAULT_MEASURES",
    "DEFAULT_MODELS",
    "KNOWN_MODELS",
    "MEASURES",
    "Comparison",
    "Fold",
    "HeldOut",
    "ModelResult",
    "Progress",
    "compare",
    "corrected_t_test",
    "cost_verdict",
    "count_terms",
    "find_measures",
    "fit_model",
    "holm",
    "known_models",
    "pooled_ranking_test",
    "simplest_verdict",
    "stratified_folds",
]
