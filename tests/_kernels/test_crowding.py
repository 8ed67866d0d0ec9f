from __future__ import annotations

import math

import numpy as np
import pytest

from moselect._kernels.pareto import add_crowding, best_by_weighted_sum


def slow_crowding(points):
    """Crowding distance as NSGA-II writes it down, one row a point."""
    distance = [0.0] * len(points)
    for j in range(points.shape[1]):
        values = points[:, j].tolist()
        order = sorted(range(len(values)), key=values.__getitem__)
        if min(values) == max(values):
            continue
        for before, i, after in zip(order, order[1:], order[2:], strict=False):
            distance[i] += (values[after] - values[before]) / (max(values) - min(values))
        distance[order[0]] = distance[order[-1]] = math.inf
    return distance


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kind", ["plain", "ties", "magnitudes"])
def test_crowding_is_that_of_nsga2(kind, seed):
    rng = np.random.default_rng(seed)
    n, m = int(rng.choice([1, 2, 3, 10, 150])), int(rng.integers(2, 7))
    points = rng.normal(size=(n, m))
    if kind == "ties":
        points = points.round()
        points[:, 0] = 3.0  # constant
    elif kind == "magnitudes":
        points *= 10.0 ** rng.integers(-100, 100, size=m)
    distance = np.zeros(n)
    for values in points.T.copy():
        add_crowding(values, np.argsort(values, kind="stable"), distance)
    np.testing.assert_allclose(distance, slow_crowding(points), rtol=1e-12)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kind", ["plain", "ties"])
def test_the_first_point_of_greatest_weighted_sum_is_chosen(kind, seed):
    rng = np.random.default_rng(seed)
    m, n, n_choices = int(rng.integers(2, 7)), int(rng.choice([1, 2, 8, 300])), 25
    points, weights = rng.normal(size=(m, n)), rng.normal(size=(n_choices, m))
    if kind == "ties":
        points, weights = points.round(), weights.round()
    totals = np.zeros((n_choices, n))
    for j in range(m):
        totals += weights[:, j, None] * points[j]
    chosen = np.full(n_choices, -1)
    best_by_weighted_sum(points, weights, chosen)
    np.testing.assert_array_equal(chosen, totals.argmax(axis=1))
