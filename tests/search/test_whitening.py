import numpy as np
import pytest

from moselect.search import OrdinalProblem
from moselect.search.whitening import PIECE, Whitening


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


def test_coordinates_of_data_that_are_whitened_in_pieces():
    rng = np.random.default_rng(0)
    n = 2 * PIECE + 100
    X = rng.normal(size=(n, 3)) @ rng.normal(size=(3, 3)) * [1.0, 1e-160, 1e140] + [
        1e6,
        0.0,
        1.0,
    ]
    problem = OrdinalProblem(X, np.arange(n) % 3)
    scaled = (X - X.mean(axis=0)) / [1.0, 1e-160, 1e140]
    scores = scaled @ (problem.models(np.eye(3))[0] * [1.0, 1e-160, 1e140]).T
    np.testing.assert_allclose(np.cov(scores.T, bias=True), np.eye(3), atol=1e-9)
