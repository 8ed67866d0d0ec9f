"""Class probabilities as operators, from scores or from P(y > k)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Integers
from moselect.operators.graph import Result, beside

CERTAIN = 1e6  # in place of infinite log-odds


def proportional_odds(score: Result, thresholds: ArrayLike) -> Result:
    """Compute class probabilities (n, r) under proportional odds of a score (n, 1)."""
    cuts = np.clip(thresholds, -CERTAIN, CERTAIN)[None, :]
    return class_shares((score - cuts).apply("Sigmoid"), cuts.size)


def of_seen_classes(above: Result, indices: Integers, n_classes: int) -> Result:
    """Compute probabilities (n, r) of all classes from P(y > k) of those with samples."""
    n_cuts = len(indices) - 1
    return class_shares(descending(above, n_cuts), n_cuts) @ np.eye(n_classes)[indices]


def class_shares(above: Result, n_cuts: int) -> Result:
    """Compute class probabilities (n, r) from descending P(y > k), (n, r - 1)."""
    # P(y = k) = P(y > k - 1) - P(y > k), with P(y > -1) = 1
    differences = np.eye(n_cuts, n_cuts + 1, 1) - np.eye(n_cuts, n_cuts + 1)
    return above @ differences + np.eye(1, n_cuts + 1)


def descending(above: Result, n_cuts: int) -> Result:
    """Project P(y > k), (n, r - 1), to the nearest descending sequence by least squares.

    Min-max formula of isotonic regression: the minimum over a <= k of the maximum over
    b >= k of the means of P(y > a) to P(y > b) (Barlow, Bartholomew, Bremner & Brunk
    1972, Statistical inference under order restrictions).
    """
    if n_cuts == 1:
        return above
    first, last, cut = np.ogrid[:n_cuts, :n_cuts, :n_cuts]
    inside = ((first <= cut) & (cut <= last)) / np.maximum(last - first + 1.0, 1.0)
    flat = inside.reshape(-1, n_cuts).T.copy()
    means = (above @ flat).apply("Reshape", np.array([-1, n_cuts, n_cuts]))
    fitted = []
    for k in range(n_cuts):
        part = means.apply("Gather", np.arange(k + 1), axis=1)
        part = part.apply("Gather", np.arange(k, n_cuts), axis=2)
        greatest = part.apply("ReduceMax", np.array([2]), keepdims=0)
        fitted.append(greatest.apply("ReduceMin", np.array([1]), keepdims=1))
    return beside(fitted)
