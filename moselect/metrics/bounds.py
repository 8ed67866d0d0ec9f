"""Ranking measures of data that fit no memory: bounds from counts of samples in bins."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from moselect._types import Floats
from moselect._validation import check_level, require_samples
from moselect.metrics.counts import RankingCounts
from moselect.metrics.objectives import RANKING_OBJECTIVES
from moselect.metrics.ranking.measures import measure_rankings
from moselect.metrics.ranking.samples import ScoredSamples
from moselect.metrics.uncertainty.covariance import RankedModels, delong_covariance
from moselect.metrics.uncertainty.ranking_inference import logit_interval

MOST_PASSES = 4
ORDERS = (-1.0, 1.0)


def count_rankings(
    fill: Callable[[RankingCounts], RankingCounts],
    empty: RankingCounts,
    *,
    tolerance: float = 1e-6,
) -> RankingCounts:
    """Count samples in bins, in as many passes as make the bounds of the measures narrow.

    Parameters
    ----------
    fill : callable
        Called with empty counts; returns them filled with all samples. It may do so part
        by part, or on many machines.
    empty : RankingCounts
        Counts to begin with.
    tolerance : float, default=1e-6
        Width of the bounds that is wanted. Two passes are usual; after four, the bounds
        are as wide as `ranking_bounds` says.

    Returns
    -------
    RankingCounts
        Filled in the last pass.

    Raises
    ------
    ValueError
        If a class has no samples.

    Examples
    --------
    >>> def fill(counts):
    ...     for seed in range(3):
    ...         y = np.random.default_rng(seed).integers(0, 3, 1000)
    ...         counts.update(y, y + np.random.default_rng(seed + 3).normal(size=1000))
    ...     return counts
    >>> count_rankings(fill, RankingCounts(range(3))).class_counts.sum()
    np.int64(3000)
    """
    counts = fill(empty)
    require_samples(counts.class_counts, counts.classes, "every ranking measure")
    for _ in range(MOST_PASSES - 1):
        bounds = _bounds(counts)
        if (bounds[1] - bounds[0]).max() < tolerance:
            break
        finer = counts.refine(tolerance)
        if np.array_equal(finer.edges, counts.edges):
            break
        del counts  # before the finer ones are filled: both may be large
        counts = fill(finer)
    return counts


def ranking_bounds(
    counts: RankingCounts, *, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Compute bounds of VUS, U_cons, U_ovo and U_pairs, and their confidence intervals.

    Scores in different bins are in a known order, and so are those of a bin with one
    score. In every other bin the lower bound has no pair of classes in the right order,
    the upper bound has all.

    Parameters
    ----------
    counts : RankingCounts
        Samples of every class.
    confidence_level : float, default=0.95
        Probability with which an interval is to cover the expected measure.

    Returns
    -------
    DataFrame
        One row a measure. What `ranking_scores` gives for the same samples, ties counting
        nothing, lies within ``least`` and ``most``; ``estimate`` is their middle.
        ``lower`` and ``upper`` are the ends of DeLong's confidence interval for either
        bound, whichever is further out; they are missing if a class has one sample only.

    Raises
    ------
    ValueError
        If a class has no samples, or the level is not between 0 and 1.

    References
    ----------
    Waegeman, De Baets, Boullart (2008), ROC analysis in ordinal regression learning,
    Pattern Recognition Letters 29:1-9, eq. (8) and (16) to (18).
    DeLong, DeLong, Clarke-Pearson (1988), Comparing the areas under two or more
    correlated receiver operating characteristic curves, Biometrics 44:837-845.

    Examples
    --------
    >>> counts = RankingCounts([1, 2, 3]).update([1, 2, 2, 3], [0.1, 0.2, 0.4, 0.3])
    >>> ranking_bounds(counts)["estimate"].round(2).tolist()
    [0.5, 0.83, 0.83, 0.8]
    """
    check_level(confidence_level)
    require_samples(counts.class_counts, counts.classes, "every ranking measure")
    least, most = bounds = _bounds(counts)
    table = pd.DataFrame(
        {"least": least, "most": most, "estimate": least + 0.5 * (most - least)},
        index=list(RANKING_OBJECTIVES),
    )
    smallest = int(counts.class_counts.min())
    if smallest < 2:
        return table.assign(lower=np.nan, upper=np.nan)
    ends = np.empty((*bounds.shape, 2))
    for order, values, intervals in zip(ORDERS, bounds, ends, strict=True):
        cells = _cells(counts, order)
        for k, name in enumerate(table.index):
            variance = delong_covariance(RankedModels(cells, name, False))[0, 0]
            intervals[k] = logit_interval(values[k], variance, confidence_level, smallest)
    return table.assign(lower=ends[..., 0].min(axis=0), upper=ends[..., 1].max(axis=0))


def _bounds(counts: RankingCounts) -> Floats:
    """Return the lower and the upper bound (2, 4) of the ranking measures."""
    rankings = (_cells(counts, order) for order in ORDERS)
    return np.concatenate([measure_rankings(ranking, False) for ranking in rankings])


def _cells(counts: RankingCounts, order: float) -> ScoredSamples:
    """Return the cells of the table of counts as weighted samples.

    Where the order in a bin is unknown, its classes descend (-1.0) or ascend (1.0).
    """
    filled = np.flatnonzero(counts.lowest <= counts.highest)
    unknown = counts.lowest[filled] < counts.highest[filled]
    table = counts.counts[filled]
    bins, codes = np.nonzero(table)
    scores = bins + order * unknown[bins] * (codes + 1.0) / (len(counts.classes) + 1.0)
    numbers = table[bins, codes].astype(np.float64)
    totals = counts.class_counts.astype(np.float64)
    return ScoredSamples(counts.classes, codes, totals, numbers, scores[np.newaxis], True)
