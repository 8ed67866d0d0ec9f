"""Measures of scores: how well they rank samples of ordered classes."""

from moselect.metrics.ranking.association import (
    goodman_kruskal_gamma_score,
    kendall_tau_b_score,
    regression_roc_auc_score,
    somers_d_score,
    spearman_score,
)
from moselect.metrics.ranking.curve import RankingCurve, ranking_curve
from moselect.metrics.ranking.measures import (
    expected_random_score,
    measure_rankings,
    measure_vus,
    ranking_scores,
    u_cons_score,
    u_ovo_score,
    u_pairs_score,
    vus_score,
)
from moselect.metrics.ranking.pairs import PAIR_MEASURES, count_right_pairs, has_ties
from moselect.metrics.ranking.pairwise import bubble_sort_coefficient, pairwise_auc_matrix
from moselect.metrics.ranking.roc_surface import ROCSurface, roc_surface
from moselect.metrics.ranking.samples import (
    ScoredSamples,
    SortedSamples,
    check_scored_samples,
    sort_samples,
)

__all__ = [
    "PAIR_MEASURES",
    "ROCSurface",
    "RankingCurve",
    "ScoredSamples",
    "SortedSamples",
    "bubble_sort_coefficient",
    "check_scored_samples",
    "count_right_pairs",
    "expected_random_score",
    "goodman_kruskal_gamma_score",
    "has_ties",
    "kendall_tau_b_score",
    "measure_rankings",
    "measure_vus",
    "pairwise_auc_matrix",
    "ranking_curve",
    "ranking_scores",
    "regression_roc_auc_score",
    "roc_surface",
    "somers_d_score",
    "sort_samples",
    "spearman_score",
    "u_cons_score",
    "u_ovo_score",
    "u_pairs_score",
    "vus_score",
]
