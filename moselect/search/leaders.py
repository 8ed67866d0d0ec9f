"""Whom the particles follow: members of the archive, and how to compare trade-offs."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from moselect._kernels.crowding import best_by_weighted_sum
from moselect.pareto import ParetoArchive, crowding_distance, gain_above_chance

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LEAST_GAIN = 1e-3  # keeps the logarithm finite for models below chance

ELECTORATE = 0.3  # share of the archive from which leaders are chosen by trade-off
CROWDED = 500  # members among which crowding is compared, however large the archive


def log_gain(objectives: Floats, chance: Floats) -> Floats:
    """Logarithm of how far objectives (..., m) are on the way from chance to perfection.

    Weighted sums of it rank trade-offs: the greatest sum is the greatest weighted product of
    gains, which is what a box under the front, and so the hypervolume, is made of.
    """
    return np.log(np.maximum(gain_above_chance(objectives, chance), LEAST_GAIN))


def by_crowding(archive: ParetoArchive, n: int, rng: np.random.Generator) -> Integers:
    """Choose ``n`` members by binary tournaments for the less crowded one."""
    size = len(archive)
    pool = rng.permutation(size)[:CROWDED]
    distance = crowding_distance(archive.points[pool])
    first, second = rng.integers(len(pool), size=(2, n))
    return pool[np.where(distance[first] >= distance[second], first, second)]


def by_extreme(archive: ParetoArchive, n: int, rng: np.random.Generator) -> Integers:
    """Choose ``n`` times the best member of a random objective."""
    best = archive.columns.argmax(axis=1)
    return best[rng.integers(len(best), size=n)]


def by_trade_off(
    archive: ParetoArchive, chance: Floats, weights: Floats, rng: np.random.Generator
) -> Integers:
    """Choose for each row of ``weights`` (n, m) the member of the greatest weighted log gain.

    Only a random part of the archive stands for election, or a few members would lead always.
    """
    size = len(archive)
    pool = rng.permutation(size)[: math.ceil(ELECTORATE * size)]
    gains = np.ascontiguousarray(log_gain(archive.points[pool], chance).T)
    chosen = np.empty(len(weights), dtype=np.int64)
    best_by_weighted_sum(gains, weights, chosen)
    return pool[chosen]
