"""Learners, and their cross-validated predictions."""

from moselect.learning.learner import (
    EstimatorLearner,
    FitError,
    Learner,
    Responses,
    count_terms,
)
from moselect.learning.out_of_fold import Fitted, HeldOut, held_out, out_of_fold

__all__ = [
    "EstimatorLearner",
    "FitError",
    "Fitted",
    "HeldOut",
    "Learner",
    "Responses",
    "count_terms",
    "held_out",
    "out_of_fold",
]
