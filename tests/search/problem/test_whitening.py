from __future__ import annotations

import numpy as np
import pytest

from moselect.search import OrdinalProblem
from moselect.search.problem.whitening import PIECE, Whitening


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


def test_scores_of_unit_directions_have_variance_one_and_orthogonal_ones_no_correlation(awkward):
    X, y = awkward(7, 3, n=100)
    problem = OrdinalProblem(X, y)
    d = problem.n_dimensions
    directions = np.linalg.qr(np.random.default_rng(0).normal(size=(d, d)))[0]
    scores = X.to_numpy() @ problem.models(directions)[0].T
    np.testing.assert_allclose(np.cov(scores.T, bias=True), np.eye(d), atol=1e-7)


def test_coordinates_of_data_that_are_whitened_in_pieces():
    rng = np.random.default_rng(0)
    n = 2 * PIECE + 100
    X = rng.normal(size=(n, 3)) @ rng.normal(size=(3, 3)) * [1.0, 1e-160, 1e140] + [1e6, 0.0, 1.0]
    problem = OrdinalProblem(X, np.arange(n) % 3)
    scaled = (X - X.mean(axis=0)) / [1.0, 1e-160, 1e140]
    scores = scaled @ (problem.models(np.eye(3))[0] * [1.0, 1e-160, 1e140]).T
    np.testing.assert_allclose(np.cov(scores.T, bias=True), np.eye(3), atol=1e-9)


@pytest.mark.parametrize(("n", "p", "rank"), [(10, 25, 9), (30, 4, 4)])
def test_directions_have_as_many_coordinates_as_features_are_independent(n, p, rank):
    X = np.random.default_rng(0).normal(size=(n, p))
    assert OrdinalProblem(X, np.arange(n) % 3).n_dimensions == rank


def test_collinear_and_constant_columns_add_no_coordinate(awkward):
    X, y = awkward(8, 3)
    assert OrdinalProblem(X, y).n_dimensions == len(X.columns) - 2


def test_positions_to_search_have_a_coordinate_for_each_weight_and_threshold(awkward):
    X, y = awkward(8, 4)
    assert OrdinalProblem(X, y, thresholds="search").n_dimensions == len(X.columns) + 3


@pytest.mark.parametrize("thresholds", ["exact", "search"])
def test_constant_columns_have_weight_zero(awkward, thresholds):
    X, y = awkward(9, 3)
    problem = OrdinalProblem(X, y, thresholds=thresholds)
    weights = problem.models(np.random.default_rng(0).normal(size=(10, problem.n_dimensions)))[0]
    np.testing.assert_array_equal((weights == 0.0).all(axis=0), X.columns == "constant")


@pytest.mark.parametrize("factor", [1e-170, 1e-100, 1e100])
def test_units_of_a_feature_do_not_matter(factor):
    X = np.random.default_rng(0).normal(size=(60, 3))
    ranks = (X.sum(axis=1) > 0.0).astype(int)
    scaled = X * [factor, 1.0, 1.0]
    fitted = OrdinalProblem(scaled, ranks).ready_made()["ordinal ridge, 0.001"]
    found = OrdinalProblem(scaled, ranks).evaluate([fitted])
    plain = OrdinalProblem(X, ranks)
    expected = plain.evaluate([plain.ready_made()["ordinal ridge, 0.001"]])
    np.testing.assert_array_equal(found, expected)
