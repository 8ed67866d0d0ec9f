"""Misclassified samples: distance to the interval of their class, and random choice."""

from __future__ import annotations

import numpy as np

from moselect._types import Floats, Integers


def shifts_home(scores: Floats, codes: Integers, thresholds: Floats) -> Floats:
    """Signed distance of each score (P, n) to the interval of its true class; 0 inside.

    ``codes`` (n,) are the classes of the samples, ``thresholds`` (P, r - 1) ascend.
    """
    ends = np.pad(thresholds, ((0, 0), (1, 1)), constant_values=(-np.inf, np.inf))
    home = np.maximum(scores, ends[:, codes])
    np.minimum(home, ends[:, 1:][:, codes], out=home)
    home -= scores
    return home


def draw_misplaced(shifts: Floats, scales: Floats, draws: Floats) -> Integers:
    """Draw a misclassified sample (P,) by shifts (P, n); the first sample if all are 0.

    A sample at distance s has weight exp(-s / reach); ``draws`` (P,) are uniform in
    [0, 1).
    """
    distances = np.abs(shifts)
    distances[shifts == 0.0] = np.inf
    # Distances relative to the nearest sample, so that not all weights underflow.
    nearest = distances.min(axis=1, keepdims=True)
    nearest[np.isinf(nearest)] = 0.0
    weights = np.subtract(nearest, distances, out=distances)
    weights /= scales[:, None]
    passed = np.cumsum(np.exp(weights, out=weights), axis=1)
    return (passed > draws[:, None] * passed[:, -1:]).argmax(axis=1)
