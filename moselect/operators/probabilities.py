"""Class probabilities as operators, from scores or from P(y > k)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Integers
from moselect.operators.graph import Result, concatenated


def proportional_odds(score: Result, thresholds: ArrayLike) -> Result:
    """Compute class probabilities (n, r) under proportional odds of a score (n, 1)."""
    # in place of infinite log-odds
    certain = 1e6
    clipped = np.clip(thresholds, -certain, certain)[None, :]
    return class_shares((score - clipped).apply("Sigmoid"), clipped.size)


def at_all_classes(above: Result, indices: Integers, n_classes: int) -> Result:
    """Compute probabilities (n, r) of all classes from P(y > k) of the classes with samples."""
    n_boundaries = len(indices) - 1
    return (
        class_shares(descending(above, n_boundaries), n_boundaries)
        @ np.eye(n_classes)[indices]
    )


def class_shares(above: Result, n_boundaries: int) -> Result:
    """Compute class probabilities (n, r) from descending P(y > k), (n, r - 1)."""
    # P(y = k) = P(y > k - 1) - P(y > k), with P(y > -1) = 1
    differences = np.eye(n_boundaries, n_boundaries + 1, 1) - np.eye(
        n_boundaries, n_boundaries + 1
    )
    return above @ differences + np.eye(1, n_boundaries + 1)


def descending(above: Result, n_boundaries: int) -> Result:
    """Project P(y > k), (n, r - 1), to the nearest descending sequence by least squares.

    Min-max formula of isotonic regression: the minimum over a <= k of the maximum over
    b >= k of the means of P(y > a) to P(y > b) (Barlow, Bartholomew, Bremner & Brunk
    1972, Statistical inference under order restrictions).
    """
    if n_boundaries == 1:
        return above
    first, last, cut = np.ogrid[:n_boundaries, :n_boundaries, :n_boundaries]
    in_block = ((first <= cut) & (cut <= last)) / np.maximum(last - first + 1.0, 1.0)
    flat = in_block.reshape(-1, n_boundaries).T.copy()
    means = (above @ flat).apply("Reshape", np.array([-1, n_boundaries, n_boundaries]))
    fitted = []
    for k in range(n_boundaries):
        part = means.apply("Gather", np.arange(k + 1), axis=1)
        part = part.apply("Gather", np.arange(k, n_boundaries), axis=2)
        greatest = part.apply("ReduceMax", np.array([2]), keepdims=0)
        fitted.append(greatest.apply("ReduceMin", np.array([1]), keepdims=1))
    return concatenated(fitted)
