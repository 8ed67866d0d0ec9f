"""Leaders: the members of the archive that particles follow."""

from __future__ import annotations

import math

import numpy as np

from moselect._kernels.pareto import best_by_weighted_sum
from moselect._types import Floats, Integers
from moselect.pareto import ParetoArchive, crowding_distance, gain_above_chance

LEAST_GAIN = 1e-3  # keeps the logarithm finite for models below chance

POOL_SHARE = 0.3  # of the archive, from which leaders are chosen by objective weights
MOST_CROWDED = 500  # members whose crowding distances are compared, however large the archive


def log_gain(objectives: Floats, chance: Floats) -> Floats:
    """Compute the logarithm of the gain of objectives (..., m), from chance (0) to perfection (1).

    Weighted sums of it rank trade-offs: the greatest sum is the greatest weighted product of
    gains, which is what a box under the front, and so the hypervolume, is made of.
    """
    return np.log(np.maximum(gain_above_chance(objectives, chance), LEAST_GAIN))


def by_crowding(archive: ParetoArchive, n: int, rng: np.random.Generator) -> Integers:
    """Choose ``n`` members by binary tournaments for the less crowded one."""
    size = len(archive)
    pool = rng.permutation(size)[:MOST_CROWDED]
    distance = crowding_distance(archive.columns[:, pool].T)
    first, second = rng.integers(len(pool), size=(2, n))
    return pool[np.where(distance[first] >= distance[second], first, second)]


def by_extreme(archive: ParetoArchive, n: int, rng: np.random.Generator) -> Integers:
    """Choose ``n`` times the best member of a random objective."""
    best = archive.columns.argmax(axis=1)
    return best[rng.integers(len(best), size=n)]


class LeaderPool:
    """The members of the archive that may lead in a round.

    They are a random part of it, or a few members would lead always.
    """

    def __init__(self, archive: ParetoArchive, chance: Floats, rng: np.random.Generator) -> None:
        size = len(archive)
        self._pool = rng.permutation(size)[: math.ceil(POOL_SHARE * size)]
        points = archive.columns[:, self._pool].T
        self._gains = np.ascontiguousarray(log_gain(points, chance).T)

    def best(self, objective_weights: Floats) -> Integers:
        """Return for each row of weights (n, m) the member of the greatest weighted log gain."""
        chosen = np.empty(len(objective_weights), dtype=np.int64)
        best_by_weighted_sum(self._gains, objective_weights, chosen)
        return self._pool[chosen]
