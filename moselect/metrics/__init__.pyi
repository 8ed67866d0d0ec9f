from .bounds import count_rankings, ranking_bounds
from .counts import RankingCounts
from .objectives import OBJECTIVES, Objective, objective_named
from .predicted.agreement import (
    accuracy_score,
    expected_cost,
    minimum_sensitivity_score,
    off_by_one_accuracy_score,
    weighted_kappa_score,
)
from .predicted.error import (
    mean_absolute_error,
    mean_squared_error,
    mean_zero_one_error,
    root_mean_squared_error,
)
from .probability import (
    expected_class,
    ranked_probability_error,
)
from .ranking.association import (
    bubble_sort_coefficient,
    kendall_tau_b_score,
    regression_roc_auc_score,
    somers_d_score,
    spearman_score,
)
from .ranking.curve import RankingCurve, ranking_curve
from .ranking.measures import (
    ranking_scores,
    u_cons_score,
    u_ovo_score,
    u_pairs_score,
    vus_score,
)
from .ranking.pairs import pairwise_auc_matrix
from .ranking.roc_surface import ROCSurface, roc_surface
from .scorers import get_scorer, get_scorer_names
from .uncertainty.prediction_inference import prediction_inference
from .uncertainty.ranking_inference import RankingInference, ranking_inference

__all__ = [
    "OBJECTIVES",
    "Objective",
    "ROCSurface",
    "RankingCounts",
    "RankingCurve",
    "RankingInference",
    "accuracy_score",
    "bubble_sort_coefficient",
    "count_rankings",
    "expected_class",
    "expected_cost",
    "get_scorer",
    "get_scorer_names",
    "kendall_tau_b_score",
    "mean_absolute_error",
    "mean_squared_error",
    "mean_zero_one_error",
    "minimum_sensitivity_score",
    "objective_named",
    "off_by_one_accuracy_score",
    "pairwise_auc_matrix",
    "prediction_inference",
    "ranked_probability_error",
    "ranking_bounds",
    "ranking_curve",
    "ranking_inference",
    "ranking_scores",
    "regression_roc_auc_score",
    "roc_surface",
    "root_mean_squared_error",
    "somers_d_score",
    "spearman_score",
    "u_cons_score",
    "u_ovo_score",
    "u_pairs_score",
    "vus_score",
    "weighted_kappa_score",
]
