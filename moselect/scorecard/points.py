"""Real weights as small whole points."""

from __future__ import annotations

import numpy as np

from moselect._types import Floats, Integers
from moselect.scorecard.likelihood import Quadratic

MOST_STEPS = 200


def whole_points(quadratic: Quadratic, weights: Floats, most: int, signs: Integers) -> Integers:
    """Return the points (k,) of greatest likelihood, their scale and cut points left free.

    Weights (k,) are rounded at several scales; from the best of these, one or two points at a time
    are changed by one until nothing gains. None is 0 or larger than ``most``; those with a sign 1
    or -1 keep to it.
    """
    low, high = np.where(signs > 0, 1, -most), np.where(signs < 0, -1, most)
    largest = np.abs(weights).max()
    scales = np.arange(0.75, most + 0.5, 0.25) / largest
    starts = np.clip(np.rint(weights * scales[:, None]), low, high)
    toward = np.where(signs != 0, signs, np.where(weights < 0.0, -1, 1))
    starts = np.where(starts == 0.0, toward, starts)
    points = starts[_likelihood(quadratic, starts).argmax()]
    k = len(points)
    single = np.vstack([np.eye(k), -np.eye(k)])
    i, j = np.triu_indices(2 * k, k=1)
    moves = np.vstack([single, single[i] + single[j]])
    for _ in range(MOST_STEPS):
        tried = points + moves
        tried = tried[((tried >= low) & (tried <= high) & (tried != 0.0)).all(axis=1)]
        found = _likelihood(quadratic, np.vstack([points, tried]))
        best = int(found.argmax())
        if found[best] <= found[0] * (1.0 + 1e-9):
            break
        points = tried[best - 1]
    return points.astype(np.int64)


def _likelihood(quadratic: Quadratic, points: Floats) -> Floats:
    """Return twice the gain in likelihood of each row of points (t, k), at its best scale."""
    along = points @ quadratic.linear
    return along * np.abs(along) / ((points @ quadratic.curvature) * points).sum(axis=1)
