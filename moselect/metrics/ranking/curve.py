"""The target's level along a ranking, bucket by bucket."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect._types import Floats
from moselect._validation import check_level, check_scores, check_weights
from moselect.labels import encode, is_ordered_categorical


@dataclass(frozen=True)
class RankingCurve:
    """Level of the target in each bucket of a ranking, lowest scores first.

    Attributes
    ----------
    positions : ndarray of shape (n_buckets,)
        1 .. n_buckets.
    values : ndarray of shape (n_buckets,)
        The mean of the target, in its units.
    lower, upper : ndarray of shape (n_buckets,) or None
        Bootstrap band, if one was asked for.

    Examples
    --------
    >>> curve = ranking_curve([1.0, 4.0, 2.0, 8.0], [0.1, 0.3, 0.2, 0.4], n_buckets=2)
    >>> curve.first_bucket, curve.last_bucket, curve.difference
    (1.5, 6.0, 4.5)
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
    labels: Sequence[Any] | None = None,
    n_bootstrap: int = 0,
    confidence_level: float = 0.95,
    random_state: int | np.random.Generator | None = None,
) -> RankingCurve:
    """Cut a ranking into buckets of equal weight and give the mean target in each.

    A sample on the edge of two buckets counts in both, in part; samples of equal score share
    their ranks evenly. So neither the order of the samples nor that of ties has any influence.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Numeric target, or ordinal labels (then class ranks 1 .. r are the levels): an ordered
        Categorical, or anything with ``labels``.
    y_score : array-like of shape (n,)
        Scores; higher means a higher target.
    n_buckets : int, default=10
        Number of buckets.
    sample_weight : array-like of shape (n,), optional
        Weights of the samples.
    labels : sequence, optional
        All classes, lowest first, if the target is ordinal.
    n_bootstrap : int, default=0
        Number of resamples of the samples for the band; 0 for none.
    confidence_level : float, default=0.95
        Share of the resampled curves that the band holds at each position.
    random_state : int or Generator, optional
        Source of the resamples.

    Returns
    -------
    RankingCurve
        With the summaries ``first_bucket``, ``last_bucket``, ``difference`` and ``slope``.

    Raises
    ------
    ValueError
        If lengths differ, anything is missing or not finite, weights are negative, or there are
        fewer samples than buckets.

    Examples
    --------
    >>> curve = ranking_curve([1.0, 4.0, 2.0, 8.0], [0.1, 0.3, 0.2, 0.4], n_buckets=2)
    >>> curve.values
    array([1.5, 6. ])
    """
    target = _check_target(y_true, labels)
    rows, single = check_scores(y_score, len(target))
    if not single:
        raise ValueError(f"a curve is of one ranking, but y_score has shape {np.shape(y_score)}")
    weights = check_weights(sample_weight, len(target))
    weights = np.ones(len(target)) if weights is None else weights
    if not 1 <= n_buckets <= np.count_nonzero(weights):
        raise ValueError(
            f"n_buckets is {n_buckets}: it must be from 1 to the number of samples, "
            f"{np.count_nonzero(weights)}"
        )
    check_level(confidence_level)
    order = np.argsort(rows[0], kind="stable")
    scores, target, weights = rows[0, order], target[order], weights[order]
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
    tail = (1.0 - confidence_level) / 2.0
    lower, upper = np.quantile(resampled, [tail, 1.0 - tail], axis=0)
    return RankingCurve(positions, values, lower, upper)


def _check_target(y_true: ArrayLike, labels: Sequence[Any] | None) -> Floats:
    if labels is not None or is_ordered_categorical(y_true):
        return 1.0 + encode(y_true, labels, keep_unused=True)[1].astype(np.float64)
    classes, codes = encode(y_true)
    return classes.astype(np.float64)[codes]


def _bucket_means(target: Floats, weights: Floats, first: Any, n_buckets: int) -> Floats:
    """Differences of the running total of target by weight, which is linear within a tie."""
    weight = np.append(0.0, np.cumsum(np.add.reduceat(weights, first)))
    total = np.append(0.0, np.cumsum(np.add.reduceat(weights * target, first)))
    edges = weight[-1] * np.arange(n_buckets + 1) / n_buckets
    return np.asarray(np.diff(np.interp(edges, weight, total)) / (weight[-1] / n_buckets))
