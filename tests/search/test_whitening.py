"""Whitened directions, and monotone constraints: signs of weights, in either encoding."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import nnls

from moselect import ParetoSearch
from moselect.budgets import MEMORY
from moselect.search import OrdinalProblem
from moselect.search.whitening import Cone, Whitening, unit
from tests.any_tables import ordinal_table
from tests.models.monotone import grids, violation


@pytest.mark.parametrize(("p", "n", "rank"), [(3, 50, 3), (40, 12, 11), (12, 12, 11)])
def test_scores_of_unit_vectors_are_uncorrelated_with_variance_1(p, n, rank, rng):
    features = rng.normal(size=(p, n)) * 10.0 ** rng.integers(-3, 4, p)[:, None]
    features[0] = 7.0  # a constant one
    found = Whitening(features)
    assert found.n_dimensions == min(rank, p - 1)
    assert found.inverse_scale[0] == 0.0
    scores = found.weights(np.eye(found.n_dimensions)) @ features
    assert_allclose(np.cov(scores, bias=True), np.eye(len(scores)), atol=1e-8)


def test_coordinates_of_data_that_are_whitened_in_pieces(rng):
    n = 2 * MEMORY.copied_rows + 100
    X = rng.normal(size=(n, 3)) @ rng.normal(size=(3, 3)) + [1e6, 0.0, 1.0]
    scores = X @ OrdinalProblem(X, np.arange(n) % 3).models(np.eye(3))[0].T
    assert_allclose(np.cov(scores.T, bias=True), np.eye(3), atol=1e-9)


@given(st.integers(0, 10_000))
@settings(max_examples=30)
def test_projections_approximate_the_closest_feasible_directions(seed):
    rng = np.random.default_rng(seed)
    mixed = np.eye(5) + rng.uniform(-0.4, 0.4, size=(5, 5))
    whitening = Whitening(mixed @ rng.normal(size=(5, 80)))
    signs = rng.choice([-1, 0, 1], 5)
    positions = unit(rng.normal(size=(20, 5)))
    cone = Cone(whitening, signs)
    projected = cone.project(positions)
    assert_allclose(np.linalg.norm(projected, axis=1), 1.0)
    assert (cone.keep(whitening.weights(projected)) * signs >= 0.0).all()
    bound = np.flatnonzero(signs)
    normals = whitening.weights(np.eye(5))[:, bound] * signs[bound]
    for start, found in zip(positions, projected, strict=True):
        # the exact projection: its dual is a problem of non-negative least squares
        exact = start + normals @ nnls(normals, -start)[0]
        if np.linalg.norm(exact) > 0.1:
            assert unit(exact[None])[0] @ found > 0.99


@pytest.mark.parametrize("thresholds", ["exact", "search"])
@pytest.mark.parametrize(
    "columns", ["features", pytest.param("splines", marks=pytest.mark.slow)]
)
def test_all_members_are_monotone(thresholds, columns):
    X, y = ordinal_table(150)
    monotone = {"x0": -1, "x1": -1, "x2": 1}  # the first and the last contradict the data
    search = ParetoSearch(
        n_particles=20,
        n_iterations=8,
        thresholds=thresholds,
        columns=columns,
        monotone=monotone,
        cv=2,
        random_state=1,
    ).fit(X, y)
    for front in (search.front_, *search.front_.fold_fronts):
        if columns == "features":
            assert (front.weights * [-1, -1, 1] >= 0.0).all()
    assert search.front_[0].monotone == monotone
    for k in range(0, len(search.front_), 5):
        assert violation(search.front_[k], X[:20], grids(X, [-1, -1, 1])) <= 1e-9
