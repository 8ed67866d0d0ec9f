"""One ordinal model at a time."""

from moselect.models.gaussian_process import OrdinalGaussianProcess
from moselect.models.labels import ordinal_target
from moselect.models.linear import OrdinalLinearClassifier, feature_matrix
from moselect.models.proportional_odds import (
    RoundCoordinates,
    class_probabilities,
    fit_proportional_odds,
)
from moselect.models.ready_made import ready_made_directions, rows_to_fit

__all__ = [
    "OrdinalGaussianProcess",
    "OrdinalLinearClassifier",
    "RoundCoordinates",
    "class_probabilities",
    "feature_matrix",
    "fit_proportional_odds",
    "ordinal_target",
    "ready_made_directions",
    "rows_to_fit",
]
