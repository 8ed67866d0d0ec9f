"""How good one ordinal model is, by what is measured: ``(y_true, y_pred or y_score) -> float``.

`predicted` holds the measures of predicted classes, `ranking` those of scores, `probability` those
of predicted probabilities, and `uncertainty` their standard errors and confidence intervals.
"""

from moselect.labels import class_labels, encode_labels
from moselect.metrics.predicted import (
    Confusion,
    TrivialClassifier,
    accuracy_score,
    count_confusion,
    expected_cost,
    maximum_mean_absolute_error,
    mean_absolute_error,
    mean_squared_error,
    mean_zero_one_error,
    minimum_sensitivity_score,
    off_by_one_accuracy_score,
    root_mean_squared_error,
    trivial_classifier,
    weighted_kappa_score,
)
from moselect.metrics.probability import (
    ballante_index,
    expected_class,
    maximum_probability,
    ranked_probability_error,
)
from moselect.metrics.ranking import (
    RankingCurve,
    ROCSurface,
    bubble_sort_coefficient,
    expected_random_score,
    goodman_kruskal_gamma_score,
    kendall_tau_b_score,
    pairwise_auc_matrix,
    ranking_curve,
    ranking_scores,
    regression_roc_auc_score,
    roc_surface,
    somers_d_score,
    spearman_score,
    u_cons_score,
    u_ovo_score,
    u_pairs_score,
    vus_score,
)
from moselect.metrics.responses import ordinal_scores, predicted_probabilities
from moselect.metrics.scorers import OrdinalScorer, get_scorer, get_scorer_names
from moselect.metrics.uncertainty import (
    RankingInference,
    prediction_inference,
    ranking_inference,
)

__all__ = [
    "Confusion",
    "OrdinalScorer",
    "ROCSurface",
    "RankingCurve",
    "RankingInference",
    "TrivialClassifier",
    "accuracy_score",
    "ballante_index",
    "bubble_sort_coefficient",
    "class_labels",
    "count_confusion",
    "encode_labels",
    "expected_class",
    "expected_cost",
    "expected_random_score",
    "get_scorer",
    "get_scorer_names",
    "goodman_kruskal_gamma_score",
    "kendall_tau_b_score",
    "maximum_mean_absolute_error",
    "maximum_probability",
    "mean_absolute_error",
    "mean_squared_error",
    "mean_zero_one_error",
    "minimum_sensitivity_score",
    "off_by_one_accuracy_score",
    "ordinal_scores",
    "pairwise_auc_matrix",
    "predicted_probabilities",
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
