"""Learners, and their cross-validated predictions."""

from moselect.learning.learner import (
    EstimatorLearner,
    FitError,
    Learner,
    Predictions,
    count_terms,
)
from moselect.learning.out_of_fold import (
    Fitted,
    FoldPredictions,
    cross_validated,
    held_out,
    out_of_fold,
)

__all__ = [
    "EstimatorLearner",
    "FitError",
    "Fitted",
    "FoldPredictions",
    "Learner",
    "Predictions",
    "count_terms",
    "cross_validated",
    "held_out",
    "out_of_fold",
]
