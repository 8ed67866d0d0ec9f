"""The matrix of pairwise AUCs."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from moselect.metrics import pairwise_auc_matrix


@pytest.mark.checks("Measures", "scikit-learn's roc_auc_score of each pair of classes")
@pytest.mark.parametrize("weighted", [False, True])
def test_matrix_with_half_credit_holds_binary_aucs(weighted, rng):
    y = rng.integers(1, 5, 60)
    scores = np.round(y + rng.normal(size=60), 1)
    weights = rng.integers(0, 4, 60) if weighted else None
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
