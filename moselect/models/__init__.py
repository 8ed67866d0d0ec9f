"""One ordinal model at a time."""

from moselect.models.additive import (
    FURTHEST,
    AdditiveOdds,
    Curve,
    ProductMap,
    Shapes,
    SplineColumns,
    contributions,
    model_shapes,
    spline_columns_from_document,
    spline_document,
    spline_pieces,
)
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
from moselect.models.folds import folds_of, stratified_folds
from moselect.models.frank_hall import FrankHall
from moselect.models.gaussian_process import OrdinalGaussianProcess
from moselect.models.labels import ordinal_target
from moselect.models.linear import OrdinalLinearClassifier
from moselect.models.linear_batch import LinearBatch
from moselect.models.pool import (
    BASE_MODELS,
    BoostedRanks,
    GaussianProcessRanks,
    OrdinalExtraTrees,
    OrdinalPool,
    surrogate_r2,
)
from moselect.models.proportional_odds import (
    RoundCoordinates,
    class_probabilities,
    fit_proportional_odds,
)
from moselect.models.proportional_odds_classifier import ProportionalOdds
from moselect.models.proportional_odds_cv import ProportionalOddsCV
from moselect.models.rank_network import RankNetwork
from moselect.models.ready_made import ready_made_directions, rows_to_fit
from moselect.models.row_predictions import RowPredictions, predict_rows, range_remarks
from moselect.models.skordinal_adapter import SkordinalClassifier
from moselect.models.threads import one_blas_thread
from moselect.models.training import merge_equal
from moselect.models.words import class_scores, model_html

__all__ = [
    "BASE_MODELS",
    "FORMAT",
    "FURTHEST",
    "LARGEST",
    "MODEL_SCHEMA",
    "AdditiveOdds",
    "BoostedRanks",
    "Calibration",
    "Curve",
    "FeatureCard",
    "Figure",
    "FrankHall",
    "GaussianProcessRanks",
    "LinearBatch",
    "ModelCard",
    "ModelDocument",
    "OrdinalExtraTrees",
    "OrdinalGaussianProcess",
    "OrdinalLinearClassifier",
    "OrdinalPool",
    "ProductMap",
    "ProportionalOdds",
    "ProportionalOddsCV",
    "RankNetwork",
    "RoundCoordinates",
    "RowPredictions",
    "ScoreCalibration",
    "Shapes",
    "SkordinalClassifier",
    "SplineColumns",
    "calibrate",
    "calibrate_score",
    "class_probabilities",
    "class_scores",
    "contributions",
    "fit_proportional_odds",
    "folds_of",
    "merge_equal",
    "model_card",
    "model_document",
    "model_from_document",
    "model_html",
    "model_shapes",
    "names_of",
    "one_blas_thread",
    "ordinal_target",
    "predict_rows",
    "range_remarks",
    "ready_made_directions",
    "rows_to_fit",
    "spline_columns_from_document",
    "spline_document",
    "spline_pieces",
    "stratified_folds",
    "surrogate_r2",
]
