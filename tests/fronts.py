"""Points for fronts, and their front by its definition."""

import numpy as np


def slow_front(points):
    """Places of the points that none dominates and that have no equal before them."""
    at_least = (points[:, None] >= points[None]).all(axis=2)
    better = at_least & ~at_least.T
    earlier_equal = (
        at_least & at_least.T & (np.arange(len(points))[:, None] < np.arange(len(points)))
    )
    return np.flatnonzero(~(better | earlier_equal).any(axis=0))


def draw_sphere(rng, n, m):
    points = np.abs(rng.normal(size=(n, m)))
    return points / np.linalg.norm(points, axis=1, keepdims=True)
