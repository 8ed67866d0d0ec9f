"""The matrix of AUCs and the bubble sort coefficient."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from moselect.metrics import bubble_sort_coefficient, pairwise_auc_matrix


def bubble_sort_swaps(values):
    """Sommer (2015), algorithm 3."""
    values, swaps = list(values), 0
    for end in range(len(values), 1, -1):
        for i in range(end - 1):
            if values[i] > values[i + 1]:
                values[i], values[i + 1] = values[i + 1], values[i]
                swaps += 1
    return swaps


@pytest.fixture
def ranking():
    rng = np.random.default_rng(11)
    y = rng.integers(1, 5, 60)
    return y, np.round(y + rng.normal(size=60), 1), rng.integers(0, 4, 60)


def test_tied_samples_need_no_swap_if_listed_in_order(ranking):
    y, scores, _ = ranking
    in_order = y[np.lexsort((y, scores))]
    expected = 1 - bubble_sort_swaps(in_order) / bubble_sort_swaps(np.sort(y)[::-1])
    assert bubble_sort_coefficient(y, scores) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("weighted", [False, True])
def test_matrix_with_half_credit_holds_binary_aucs(ranking, weighted):
    y, scores, weights = ranking
    weights = weights if weighted else None
    matrix = pairwise_auc_matrix(y, scores, ties="average", sample_weight=weights)
    for k in range(4):
        assert matrix[k, k] == 0.5
        for m in set(range(4)) - {k}:
            two = np.isin(y, [k + 1, m + 1])
            expected = roc_auc_score(
                y[two] == m + 1,
                scores[two],
                sample_weight=weights[two] if weighted else None,
            )
            assert matrix[k, m] == pytest.approx(expected, rel=1e-12)
