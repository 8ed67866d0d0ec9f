"""Measures in plain Python, one sample or group of samples at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, pairwise, product

import numpy as np


def accuracy(true: Sequence[int], predicted: Sequence[int], weights: Sequence[float]) -> float:
    right = [w for t, p, w in zip(true, predicted, weights, strict=True) if t == p]
    return math.fsum(right) / math.fsum(weights)


def absolute_error(
    true: Sequence[int], predicted: Sequence[int], weights: Sequence[float]
) -> float:
    cost = [w * abs(t - p) for t, p, w in zip(true, predicted, weights, strict=True)]
    return math.fsum(cost) / math.fsum(weights)


def _credit(group: Sequence[float], ties: str) -> float:
    """Credit of the scores of one sample a class, lowest class first."""
    if ties == "strict":
        return float(all(low < high for low, high in pairwise(group)))
    if any(low > high for low, high in pairwise(group)):
        return 0.0
    _, counts = np.unique(group, return_counts=True)
    return 1.0 / math.prod(math.factorial(count) for count in counts)


def _share(
    parts: Sequence[Sequence[int]], scores: Sequence[float], weights: Sequence[float], ties: str
) -> float:
    """Weighted credit of all groups with one sample of each part."""
    found, total = [], []
    for group in product(*parts):
        weight = math.prod(weights[i] for i in group)
        total.append(weight)
        found.append(weight * _credit([scores[i] for i in group], ties))
    return math.fsum(found) / math.fsum(total)


def ranking(
    measure: str,
    codes: Sequence[int],
    scores: Sequence[float],
    weights: Sequence[float],
    ties: str,
) -> float:
    """Compute a ranking measure over the classes that have samples."""
    present = sorted(set(codes))
    parts = [[i for i, code in enumerate(codes) if code == k] for k in present]
    if measure == "vus":
        return _share(parts, scores, weights, ties)
    pairs = list(combinations(parts, 2))
    if measure == "u_ovo":
        return math.fsum(_share(pair, scores, weights, ties) for pair in pairs) / len(pairs)
    if measure == "u_cons":
        splits = [
            ([i for part in parts[:k] for i in part], [i for part in parts[k:] for i in part])
            for k in range(1, len(parts))
        ]
        return math.fsum(_share(split, scores, weights, ties) for split in splits) / len(splits)
    mass = [math.fsum(weights[i] * weights[j] for i, j in product(*pair)) for pair in pairs]
    return math.fsum(
        m * _share(pair, scores, weights, ties) for m, pair in zip(mass, pairs, strict=True)
    ) / math.fsum(mass)
