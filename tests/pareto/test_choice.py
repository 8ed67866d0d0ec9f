from __future__ import annotations

import warnings

import numpy as np
import pytest

from moselect.pareto import compromise_point, knee_points


def curve(seed, n=60):
    angles = np.random.default_rng(seed).uniform(0.0, np.pi / 2, n)
    return np.column_stack([np.cos(angles), np.sin(angles)]) ** np.array([0.3, 0.8])


def test_the_knee_is_where_a_front_bends():
    first = np.linspace(0.0, 1.0, 21)
    bent = np.where(first < 0.7, 1.0 - first / 7, 3.0 * (1.0 - first))  # its corner is at 0.7
    places = np.random.default_rng(0).permutation(21)
    points = np.column_stack([first, bent])[places]
    corner = places.tolist().index(14)
    assert knee_points(points).tolist() == [corner]
    assert knee_points(points * [1 / 9, 5.0] + 3.0).tolist() == [corner]
    assert knee_points(np.tile(points, (20, 1))).tolist() == [corner]  # once, however often met


@pytest.mark.parametrize("seed", [3, 9, 18])
def test_knees_have_a_greater_least_trade_off_than_most(seed):
    points = curve(seed)
    scaled = (points.max(axis=0) - points) / np.ptp(points, axis=0)
    least = np.empty(len(points))
    for i, here in enumerate(scaled):
        distance = np.linalg.norm(scaled - here, axis=1)
        near = np.flatnonzero(distance <= 0.125)
        others = near if len(near) >= 4 else np.argsort(distance)[:5]
        step = scaled[others[others != i]] - here
        least[i] = (np.maximum(step, 0).sum(axis=1) / np.maximum(-step, 0).sum(axis=1)).min()
    standing_out = np.flatnonzero(least >= least.mean() + 2 * least.std())
    assert len(standing_out) > 1
    assert knee_points(points).tolist() == standing_out.tolist()


@pytest.mark.parametrize(
    "points",
    [
        [[0.5, 0.5]],
        [[0.0, 1.0], [1.0, 0.0]],
        [[0.0, 1.0], [1.0, 0.0], [1.0, 0.0]],
        [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]],
        np.ones((30, 2)),
    ],
)
def test_where_no_point_stands_out(points):
    filters = list(warnings.filters)
    assert knee_points(points).tolist() == []
    assert warnings.filters == filters


@pytest.mark.parametrize("weights", [[1, 1], [2, 1], [1, 50], [0.01, 0.3]])
def test_a_compromise_has_the_least_weighted_regret(weights):
    points = curve(2) * [3.0, 0.01]
    regret = (points.max(axis=0) - points) / np.ptp(points, axis=0)
    worst = (regret * weights).max(axis=1)
    assert compromise_point(points, weights) == worst.argmin()
    assert compromise_point(points, np.multiply(weights, 1e-20)) == worst.argmin()


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0, 0], "weights must be finite, none negative, and not all 0"),
        ([1, -1], "weights must be finite"),
        ([1, np.nan], "weights must be finite"),
        ([1, 1, 1], r"weights have shape .* expected \(2,\)"),
    ],
)
def test_wrong_weights(weights, message):
    with pytest.raises(ValueError, match=message):
        compromise_point(curve(0), weights)
