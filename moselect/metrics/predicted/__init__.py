"""Measures of predicted classes."""

from moselect.metrics.predicted.agreement import (
    minimum_sensitivity_score,
    off_by_one_accuracy_score,
    weighted_kappa_score,
)
from moselect.metrics.predicted.confusion import Confusion, count_confusion
from moselect.metrics.predicted.error import (
    accuracy_score,
    maximum_mean_absolute_error,
    mean_absolute_error,
    mean_squared_error,
    mean_zero_one_error,
    root_mean_squared_error,
)
from moselect.metrics.predicted.expected_cost import expected_cost
from moselect.metrics.predicted.trivial import ERRORS, TrivialClassifier, trivial_classifier

__all__ = [
    "ERRORS",
    "Confusion",
    "TrivialClassifier",
    "accuracy_score",
    "count_confusion",
    "expected_cost",
    "maximum_mean_absolute_error",
    "mean_absolute_error",
    "mean_squared_error",
    "mean_zero_one_error",
    "minimum_sensitivity_score",
    "off_by_one_accuracy_score",
    "root_mean_squared_error",
    "trivial_classifier",
    "weighted_kappa_score",
]
