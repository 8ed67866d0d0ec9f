"""How good one ordinal model is: ``(y_true, y_pred or y_score) -> float``."""

from moselect.metrics.error import accuracy_score, mean_absolute_error
from moselect.metrics.labels import class_labels, encode_labels
from moselect.metrics.ranking import (
    ranking_scores,
    u_cons_score,
    u_ovo_score,
    u_pairs_score,
    vus_score,
)

__all__ = [
    "accuracy_score",
    "class_labels",
    "encode_labels",
    "mean_absolute_error",
    "ranking_scores",
    "u_cons_score",
    "u_ovo_score",
    "u_pairs_score",
    "vus_score",
]
