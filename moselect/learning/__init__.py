"""What can be fitted, and what it says of samples that it was not fitted to."""

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
