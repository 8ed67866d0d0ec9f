"""One ordinal model at a time."""

from moselect.models.calibration import Calibration, calibrate
from moselect.models.card import (
    LARGEST,
    FeatureCard,
    Figure,
    ModelCard,
    ScoreCalibration,
    calibrate_score,
    model_card,
    names_of,
)
from moselect.models.document import (
    FORMAT,
    MODEL_SCHEMA,
    ModelDocument,
    model_document,
    model_from_document,
)
from moselect.models.frank_hall import FrankHall
from moselect.models.gaussian_process import OrdinalGaussianProcess
from moselect.models.labels import ordinal_target
from moselect.models.linear import OrdinalLinearClassifier
from moselect.models.linear_batch import LinearBatch
from moselect.models.proportional_odds import (
    RoundCoordinates,
    class_probabilities,
    fit_proportional_odds,
)
from moselect.models.proportional_odds_classifier import ProportionalOdds
from moselect.models.rank_network import RankNetwork
from moselect.models.ready_made import ready_made_directions, rows_to_fit
from moselect.models.row_predictions import RowPredictions, predict_rows, range_remarks
from moselect.models.skordinal_adapter import SkordinalClassifier
from moselect.models.threads import one_blas_thread
from moselect.models.training import merge_equal
from moselect.models.words import class_scores, model_html

__all__ = [
    "FORMAT",
    "LARGEST",
    "MODEL_SCHEMA",
    "Calibration",
    "FeatureCard",
    "Figure",
    "FrankHall",
    "LinearBatch",
    "ModelCard",
    "ModelDocument",
    "OrdinalGaussianProcess",
    "OrdinalLinearClassifier",
    "ProportionalOdds",
    "RankNetwork",
    "RoundCoordinates",
    "RowPredictions",
    "ScoreCalibration",
    "SkordinalClassifier",
    "calibrate",
    "calibrate_score",
    "class_probabilities",
    "class_scores",
    "fit_proportional_odds",
    "merge_equal",
    "model_card",
    "model_document",
    "model_from_document",
    "model_html",
    "names_of",
    "one_blas_thread",
    "ordinal_target",
    "predict_rows",
    "range_remarks",
    "ready_made_directions",
    "rows_to_fit",
]
