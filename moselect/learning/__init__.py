"""Learners, and their cross-validation."""

from moselect.learning.cross_validation import (
    CV,
    SPLITS,
    Fitted,
    FoldPredictions,
    cross_validate,
    fit_and_cross_validate,
    join_folds,
)
from moselect.learning.learner import (
    EstimatorLearner,
    FitError,
    Learner,
    Predictions,
    count_terms,
)

__all__ = [
    "CV",
    "SPLITS",
    "EstimatorLearner",
    "FitError",
    "Fitted",
    "FoldPredictions",
    "Learner",
    "Predictions",
    "count_terms",
    "cross_validate",
    "fit_and_cross_validate",
    "join_folds",
]
