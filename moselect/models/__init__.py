"""One ordinal model at a time."""

from moselect.models.document import (
    FORMAT,
    MODEL_SCHEMA,
    model_document,
    model_from_document,
)
from moselect.models.linear import OrdinalLinearClassifier, feature_matrix
from moselect.models.proportional_odds import (
    RoundCoordinates,
    class_probabilities,
    fit_proportional_odds,
)
from moselect.models.ready_made import ready_made_directions, rows_to_fit
from moselect.models.words import class_scores, model_html

__all__ = [
    "FORMAT",
    "MODEL_SCHEMA",
    "OrdinalLinearClassifier",
    "RoundCoordinates",
    "class_probabilities",
    "class_scores",
    "feature_matrix",
    "fit_proportional_odds",
    "model_document",
    "model_from_document",
    "model_html",
    "ready_made_directions",
    "rows_to_fit",
]
