"""Samples that lie outside the interval of their class: how far, and which of them is drawn."""

from __future__ import annotations

import numpy as np

from moselect._types import Floats, Integers


def shifts_home(scores: Floats, codes: Integers, thresholds: Floats) -> Floats:
    """Return the signed distance of each score (P, n) to the interval of its true class.

    ``codes`` (n,) are the classes of the samples, ``thresholds`` (P, r - 1) ascend.
    """
    ends = np.pad(thresholds, ((0, 0), (1, 1)), constant_values=(-np.inf, np.inf))
    home = np.maximum(scores, ends[:, codes])
    np.minimum(home, ends[:, 1:][:, codes], out=home)
    home -= scores
    return home


def draw_misplaced(shifts: Floats, reach: Floats, draws: Floats) -> Integers:
    """Draw a sample (P,) with a shift (P, n) other than 0; the first one if there is none.

    One at distance s is drawn with weight exp(-s / reach); ``draws`` (P,), in [0, 1),
    decide.
    """
    distances = np.abs(shifts)
    distances[shifts == 0.0] = np.inf
    # relative to it: some weights must not vanish
    nearest = distances.min(axis=1, keepdims=True)
    nearest[np.isinf(nearest)] = 0.0
    weights = np.subtract(nearest, distances, out=distances)
    weights /= reach[:, None]
    passed = np.cumsum(np.exp(weights, out=weights), axis=1)
    return (passed > draws[:, None] * passed[:, -1:]).argmax(axis=1)
