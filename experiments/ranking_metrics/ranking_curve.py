"""The target's level along a ranking, bucket by bucket."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
TAIL = 0.025  # on each side of a band


@dataclass(frozen=True)
class RankingCurve:
    """Mean of the target in each bucket of a ranking, lowest scores first.

    Attributes
    ----------
    positions : ndarray of shape (n_buckets,)
        1 .. n_buckets.
    values : ndarray of shape (n_buckets,)
        The mean of the target, in its units.
    lower, upper : ndarray of shape (n_buckets,) or None
        Bootstrap band of 95 %, if one was asked for.
    """

    positions: NDArray[np.int64]
    values: Floats
    lower: Floats | None = None
    upper: Floats | None = None

    @property
    def first_bucket(self) -> float:
        """Value among the lowest scores; low for a good ranking."""
        return float(self.values[0])

    @property
    def last_bucket(self) -> float:
        """Value among the highest scores; high for a good ranking."""
        return float(self.values[-1])

    @property
    def difference(self) -> float:
        """Last value minus first; high for a good ranking, about 0 for a random one."""
        return self.last_bucket - self.first_bucket

    @property
    def slope(self) -> float:
        """Rise per bucket of the least-squares line; about 0 for a random ranking."""
        centred = self.positions - self.positions.mean()
        return float(centred @ self.values / (centred @ centred))


def ranking_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    n_buckets: int = 10,
    sample_weight: ArrayLike | None = None,
    n_bootstrap: int = 0,
    random_state: int | np.random.Generator | None = None,
) -> RankingCurve:
    """Cut a ranking into buckets of equal weight and give the mean target (n,) in each.

    A sample on the edge of two buckets counts in both, in part; samples of equal score share
    their ranks evenly. So neither the order of the samples nor that of ties has any influence.
    """
    order = np.argsort(y_score, kind="stable")
    scores, target = (
        np.asarray(values, dtype=np.float64)[order] for values in (y_score, y_true)
    )
    weights = (
        np.ones(len(order)) if sample_weight is None else np.asarray(sample_weight)[order]
    )
    first_of_tie = np.flatnonzero(np.append(True, scores[1:] != scores[:-1]))

    positions = np.arange(1, n_buckets + 1)
    values = _bucket_means(target, weights, first_of_tie, n_buckets)
    if n_bootstrap == 0:
        return RankingCurve(positions, values)
    rng = np.random.default_rng(random_state)
    drawn = np.flatnonzero(weights > 0)
    resampled = np.empty((n_bootstrap, n_buckets))
    for b in range(n_bootstrap):
        times = np.bincount(rng.choice(drawn, size=len(drawn)), minlength=len(weights))
        resampled[b] = _bucket_means(target, times * weights, first_of_tie, n_buckets)
    lower, upper = np.quantile(resampled, [TAIL, 1.0 - TAIL], axis=0)
    return RankingCurve(positions, values, lower, upper)


def _bucket_means(target: Floats, weights: Floats, first: Any, n_buckets: int) -> Floats:
    """Differences of the running total of target by weight, which is linear within a tie."""
    weight = np.append(0.0, np.cumsum(np.add.reduceat(weights, first)))
    total = np.append(0.0, np.cumsum(np.add.reduceat(weights * target, first)))
    edges = weight[-1] * np.arange(n_buckets + 1) / n_buckets
    return np.asarray(np.diff(np.interp(edges, weight, total)) / (weight[-1] / n_buckets))
