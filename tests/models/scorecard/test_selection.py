"""The search of conditions and points against exhaustive searches."""

from itertools import combinations, product

import numpy as np
import pytest

from moselect.models import fit_proportional_odds
from moselect.models.scorecard.path import (
    RIDGE,
    Quadratic,
    integer_points,
    select_conditions,
)
from moselect.predictor import class_probabilities


def draw(m=7, r=3, seed=0):
    rng = np.random.default_rng(seed)
    n = 400
    met = (rng.random((n, m)) < rng.uniform(0.2, 0.8, m)).astype(float)
    score = met @ rng.normal(size=m) * 1.5 + rng.logistic(size=n)
    codes = np.searchsorted(np.quantile(score, np.arange(1, r) / r), score)
    soft = 0.3 / r + 0.7 * np.eye(r)[codes]
    return met, soft * rng.uniform(0.5, 2.0, n)[:, None]


def log_likelihood(met, targets, weights, thresholds):
    return (
        targets
        * np.log(np.maximum(class_probabilities(met @ weights, thresholds), 1e-99))
    ).sum()


@pytest.mark.parametrize("seed", range(4))
def test_selected_supports_match_an_exhaustive_search(seed):
    met, targets = draw(seed=seed)
    steps = select_conditions(met, targets, 4, np.zeros(7, dtype=int))
    assert [len(step.support) for step in steps] == [1, 2, 3, 4]

    codes = np.tile(np.arange(3), len(met))

    def value(support):
        part = met[:, list(support)]
        rows = np.repeat(part, 3, axis=0), codes, 3, RIDGE, targets.ravel()
        weights, thresholds, *_ = fit_proportional_odds(*rows)
        penalty = RIDGE / 2.0 * weights @ weights
        return log_likelihood(part, targets, weights, thresholds) - penalty

    for step in steps[1:]:
        best = max(map(value, combinations(range(7), len(step.support))))
        assert value(step.support) == pytest.approx(best, rel=1e-6)


@pytest.mark.parametrize("seed", range(10))
def test_integer_points_maximise_the_likelihood(seed):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(8, 3))
    curvature = root.T @ root + np.eye(3)
    linear = rng.normal(size=3) * 3.0
    weights = np.linalg.solve(curvature, linear)
    found = integer_points(
        Quadratic(linear, curvature), weights, 3, np.zeros(3, dtype=int)
    )

    def gain(points):
        return (linear @ points) * abs(linear @ points) / (points @ curvature @ points)

    grid = [np.array(p) for p in product([-3, -2, -1, 1, 2, 3], repeat=3)]
    assert gain(found) >= 0.99 * max(map(gain, grid))
    assert np.abs(found).max() <= 3
