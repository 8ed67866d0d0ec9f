"""One ordinal model at a time."""

from moselect.models.linear import OrdinalLinearClassifier, feature_matrix
from moselect.models.proportional_odds import fit_proportional_odds
from moselect.models.ready_made import ready_made_directions, rows_to_fit

__all__ = [
    "OrdinalLinearClassifier",
    "feature_matrix",
    "fit_proportional_odds",
    "ready_made_directions",
    "rows_to_fit",
]
