"""How good one ordinal model is: ``(y_true, y_pred or y_score) -> float``."""

from moselect.metrics.association import (
    goodman_kruskal_gamma_score,
    kendall_tau_b_score,
    regression_roc_auc_score,
    somers_d_score,
    spearman_score,
)
from moselect.metrics.error import accuracy_score, mean_absolute_error
from moselect.metrics.labels import class_labels, encode_labels
from moselect.metrics.pairwise import bubble_sort_coefficient, pairwise_auc_matrix
from moselect.metrics.ranking import (
    expected_random_score,
    ranking_scores,
    u_cons_score,
    u_ovo_score,
    u_pairs_score,
    vus_score,
)

__all__ = [
    "accuracy_score",
    "bubble_sort_coefficient",
    "class_labels",
    "encode_labels",
    "expected_random_score",
    "goodman_kruskal_gamma_score",
    "kendall_tau_b_score",
    "mean_absolute_error",
    "pairwise_auc_matrix",
    "ranking_scores",
    "regression_roc_auc_score",
    "somers_d_score",
    "spearman_score",
    "u_cons_score",
    "u_ovo_score",
    "u_pairs_score",
    "vus_score",
]
