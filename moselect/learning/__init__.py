"""Learners, and their cross-validation."""

from moselect.learning.cross_validation import (
    CV,
    SPLITS,
    Fitted,
    FoldPredictions,
    cross_validate,
    fit_to_all,
    join_folds,
)
from moselect.learning.learner import EstimatorLearner, FitError, Learner, Predictions

__all__ = [
    "CV",
    "SPLITS",
    "EstimatorLearner",
    "FitError",
    "Fitted",
    "FoldPredictions",
    "Learner",
    "Predictions",
    "cross_validate",
    "fit_to_all",
    "join_folds",
]
