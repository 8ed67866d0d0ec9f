"""Learners, and their cross-validated predictions."""

from moselect.learning.learner import (
    EstimatorLearner,
    FitError,
    Learner,
    Predictions,
    count_terms,
)
from moselect.learning.out_of_fold import Fitted, FoldPredictions, held_out, out_of_fold

__all__ = [
    "EstimatorLearner",
    "FitError",
    "Fitted",
    "FoldPredictions",
    "Learner",
    "Predictions",
    "count_terms",
    "held_out",
    "out_of_fold",
]
