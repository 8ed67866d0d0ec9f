from .additive import (
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
    term_contributions,
)
from .calibration import Calibration, calibrate
from .card import (
    LARGEST,
    FeatureCard,
    Figure,
    ModelCard,
    ScoreCalibration,
    calibrate_score,
    model_card,
    names_of,
)
from .document import FORMAT, MODEL_SCHEMA, ModelDocument, model_document
from .frank_hall import FrankHall
from .gaussian_process import OrdinalGaussianProcess
from .labels import ordinal_target
from .linear import OrdinalLinearClassifier
from .linear_batch import LinearBatch
from .pool import (
    BASE_MODELS,
    BoostedRanks,
    GaussianProcessRanks,
    OrdinalExtraTrees,
    OrdinalPool,
    surrogate_r2,
)
from .proportional_odds import RoundCoordinates, class_probabilities, fit_proportional_odds
from .proportional_odds_classifier import ProportionalOdds
from .proportional_odds_cv import ProportionalOddsCV
from .rank_network import RankNetwork
from .ready_made import ready_made_directions, rows_to_fit
from .row_predictions import RowPredictions, predict_rows, range_remarks
from .skordinal_adapter import SkordinalClassifier
from .thread_warnings import caught_warnings
from .threads import one_blas_thread, one_thread
from .time_limit import fit_within
from .training import merge_equal
from .words import class_scores, model_html

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
    "caught_warnings",
    "class_probabilities",
    "class_scores",
    "contributions",
    "fit_proportional_odds",
    "fit_within",
    "merge_equal",
    "model_card",
    "model_document",
    "model_html",
    "model_shapes",
    "names_of",
    "one_blas_thread",
    "one_thread",
    "ordinal_target",
    "predict_rows",
    "range_remarks",
    "ready_made_directions",
    "rows_to_fit",
    "spline_columns_from_document",
    "spline_document",
    "spline_pieces",
    "surrogate_r2",
    "term_contributions",
]
