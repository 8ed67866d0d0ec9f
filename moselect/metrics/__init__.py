"""How good one ordinal model is: ``(y_true, y_pred or y_score) -> float``."""

from moselect.labels import class_labels, encode_labels
from moselect.metrics.agreement import (
    minimum_sensitivity_score,
    off_by_one_accuracy_score,
    weighted_kappa_score,
)
from moselect.metrics.association import (
    goodman_kruskal_gamma_score,
    kendall_tau_b_score,
    regression_roc_auc_score,
    somers_d_score,
    spearman_score,
)
from moselect.metrics.ballante import ballante_index
from moselect.metrics.error import (
    accuracy_score,
    mean_absolute_error,
    mean_squared_error,
    mean_zero_one_error,
    root_mean_squared_error,
)
from moselect.metrics.expected_cost import expected_cost
from moselect.metrics.inference import RankingInference, ranking_inference
from moselect.metrics.macro_error import (
    macro_mean_absolute_error,
    macro_mean_squared_error,
    macro_root_mean_squared_error,
    macro_zero_one_error,
    maximum_mean_absolute_error,
)
from moselect.metrics.objectives import (
    ALL_OBJECTIVES,
    N_OBJECTIVES,
    OBJECTIVES,
    Objective,
    Objectives,
    chance_levels,
    measure_objectives,
)
from moselect.metrics.pairwise import bubble_sort_coefficient, pairwise_auc_matrix
from moselect.metrics.prediction_inference import prediction_inference
from moselect.metrics.probability import (
    expected_class,
    maximum_probability,
    ranked_probability_error,
)
from moselect.metrics.ranking import (
    expected_random_score,
    ranking_scores,
    u_cons_score,
    u_ovo_score,
    u_pairs_score,
    vus_score,
)
from moselect.metrics.ranking_curve import RankingCurve, ranking_curve
from moselect.metrics.responses import class_probabilities, ordinal_scores
from moselect.metrics.roc_surface import ROCSurface, roc_surface
from moselect.metrics.scorers import OrdinalScorer, get_scorer, get_scorer_names
from moselect.metrics.trivial import TrivialClassifier, trivial_classifier

__all__ = [
    "ALL_OBJECTIVES",
    "N_OBJECTIVES",
    "OBJECTIVES",
    "Objective",
    "Objectives",
    "OrdinalScorer",
    "ROCSurface",
    "RankingCurve",
    "RankingInference",
    "TrivialClassifier",
    "accuracy_score",
    "ballante_index",
    "bubble_sort_coefficient",
    "chance_levels",
    "class_labels",
    "class_probabilities",
    "encode_labels",
    "expected_class",
    "expected_cost",
    "expected_random_score",
    "get_scorer",
    "get_scorer_names",
    "goodman_kruskal_gamma_score",
    "kendall_tau_b_score",
    "macro_mean_absolute_error",
    "macro_mean_squared_error",
    "macro_root_mean_squared_error",
    "macro_zero_one_error",
    "maximum_mean_absolute_error",
    "maximum_probability",
    "mean_absolute_error",
    "mean_squared_error",
    "mean_zero_one_error",
    "measure_objectives",
    "minimum_sensitivity_score",
    "off_by_one_accuracy_score",
    "ordinal_scores",
    "pairwise_auc_matrix",
    "prediction_inference",
    "ranked_probability_error",
    "ranking_curve",
    "ranking_inference",
    "ranking_scores",
    "regression_roc_auc_score",
    "roc_surface",
    "root_mean_squared_error",
    "somers_d_score",
    "spearman_score",
    "trivial_classifier",
    "u_cons_score",
    "u_ovo_score",
    "u_pairs_score",
    "vus_score",
    "weighted_kappa_score",
]
