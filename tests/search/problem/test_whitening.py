from __future__ import annotations

import numpy as np
import pytest

from moselect.search.problem.whitening import Whitening


@pytest.mark.parametrize(("p", "n", "rank"), [(3, 50, 3), (40, 12, 11), (12, 12, 11)])
def test_scores_of_unit_vectors_are_uncorrelated_with_variance_1(p, n, rank):
    rng = np.random.default_rng(p)
    features = rng.normal(size=(p, n)) * 10.0 ** rng.integers(-3, 4, p)[:, None]
    features[0] = 7.0  # a constant one
    found = Whitening(features)
    assert found.n_dimensions == min(rank, p - 1)
    assert found.inverse_scale[0] == 0.0
    scores = found.weights(np.eye(found.n_dimensions)) @ features
    np.testing.assert_allclose(np.cov(scores, bias=True), np.eye(len(scores)), atol=1e-8)
