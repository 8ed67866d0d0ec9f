"""Ranking measures of data that are read part by part, as often as it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from moselect._kernels.score_bins import find_samples
from moselect._validation import Floats, Ties, check_ties, require_samples
from moselect.labels import Codes, encode_labels
from moselect.metrics.counts.bounds import RankingBounds, sweep
from moselect.metrics.counts.ranking_counts import OccupiedBins, RankingCounts
from moselect.metrics.counts.score_bins import scores_of_keys

Part = Sequence[ArrayLike]  # labels, scores, and weights if there are any
Parts = Callable[[], Iterable[Part]]
MOST_PASSES = 4
SAMPLES_AT_A_TIME = 1 << 22  # half a gigabyte with the room for sorting


def count_rankings(
    count: Callable[[RankingCounts], RankingCounts],
    empty: RankingCounts,
    *,
    tolerance: float = 1e-6,
    max_bins: int | None = None,
) -> RankingCounts:
    """Count samples in bins, in as many passes as make the bounds of the measures narrow.

    Parameters
    ----------
    count : callable
        Called with empty counts; returns them filled with all samples. It may do so part by part
        (`count_parts`), or on many machines.
    empty : RankingCounts
        Counts to begin with.
    tolerance : float, default=1e-6
        Width of the bounds that is wanted. Two passes are usual; after four, or if the bins would
        fill more than `max_bins`, the bounds are as wide as `RankingBounds.width` says.
    max_bins : int, optional
        As in `RankingCounts.refine`.

    Returns
    -------
    RankingCounts
        Filled in the last pass.

    Examples
    --------
    >>> def parts():
    ...     for seed in range(3):
    ...         y = np.random.default_rng(seed).integers(0, 3, 1000)
    ...         yield y, y + np.random.default_rng(seed + 3).normal(size=1000)
    >>> counts = count_rankings(lambda empty: count_parts(parts, empty), RankingCounts(range(3)))
    >>> int(counts.class_weights.sum())
    3000
    """
    counts = count(empty)
    require_samples(counts.class_weights, counts.classes, "every ranking measure")
    for _ in range(MOST_PASSES - 1):
        if _is_narrow(counts, tolerance):
            break
        finer = counts.refine(tolerance, max_bins)
        if len(finer.bins) == len(counts.bins):
            break
        del counts  # before the finer ones are filled: both may be large
        counts = count(finer)
    return counts


def _is_narrow(counts: RankingCounts, tolerance: float) -> bool:
    return sweep([counts.occupied()], counts.class_weights, False).width < tolerance


def count_parts(parts: Parts, empty: RankingCounts) -> RankingCounts:
    """Fill counts with all parts of some data."""
    for part in parts():
        empty.update(*part)
    return empty


def exact_ranking_bounds(
    parts: Parts,
    counts: RankingCounts,
    *,
    ties: Ties = "strict",
    samples_at_a_time: int = SAMPLES_AT_A_TIME,
) -> RankingBounds:
    """Compute the ranking measures exactly, in further passes over the data.

    Each pass sorts the samples of the next bins whose order is unknown, as many as fit.

    Parameters
    ----------
    parts : callable
        Returns an iterable of the parts that were counted: labels, scores, and weights if any.
    counts : RankingCounts
        Counts of all parts; the finer their bins, the fewer samples are left to sort.
    ties : {"strict", "average"}, default="strict"
        What equal scores of different classes count.
    samples_at_a_time : int, optional
        Samples that are sorted in one pass, about; a bin with more of them is sorted at once.

    Returns
    -------
    RankingBounds
        Whose lower and upper bounds are equal.

    Raises
    ------
    ValueError
        If a class has no samples, or the data are not those that were counted.
    """
    half_credit = check_ties(ties)
    require_samples(counts.class_weights, counts.classes, "every ranking measure")
    occupied = counts.occupied()
    mixed = np.count_nonzero(occupied.counts, axis=1) > 1
    unknown = mixed & ~occupied.tied
    blocks = _exact_blocks(parts, counts, occupied, unknown, samples_at_a_time)
    return sweep(blocks, counts.class_weights, half_credit)


def _exact_blocks(
    parts: Parts, counts: RankingCounts, occupied: OccupiedBins, unknown: Any, at_a_time: int
) -> Iterator[OccupiedBins]:
    """Yield the bins in ascending blocks, those of unknown order score by score."""
    sizes = np.where(unknown, occupied.counts.sum(axis=1), 0.0)
    passes = (np.cumsum(sizes) - sizes) // at_a_time  # of each bin
    edges = np.searchsorted(passes, np.unique(passes)).tolist()
    for first, last in zip(edges, [*edges[1:], len(passes)], strict=True):
        span = slice(first, last)
        block = OccupiedBins(
            occupied.counts[span], occupied.low[span], occupied.high[span], occupied.nodes[span]
        )
        here = unknown[first:last]
        if here.any():
            scores, found = _sort_samples(parts, counts, block.nodes[here])
            if not np.isclose(found.sum(), block.counts[here].sum(), rtol=1e-9):
                raise ValueError("the data changed from one pass to the next")
            low = np.concatenate([block.low[~here], scores])
            rows = np.concatenate([block.counts[~here], found])
            order = np.argsort(low)
            block = OccupiedBins(rows[order], low[order], low[order], np.empty(0, dtype=np.int64))
        else:  # nothing is unknown: whether a bin is tied matters no more than its class
            block = block._replace(high=block.low)
        yield block


def _sort_samples(parts: Parts, counts: RankingCounts, nodes: Codes) -> tuple[Floats, Floats]:
    """Return the different scores in some bins, ascending, and their class weights (m, r)."""
    bins, r = counts.bins, len(counts.classes)
    wanted = np.zeros(bins.n_nodes, dtype=np.bool_)
    wanted[nodes] = True
    pieces = []
    for y, y_score, *weights in parts():
        codes = encode_labels(y, counts.classes)
        scores = np.ascontiguousarray(y_score, dtype=np.float64)
        keys, indices = np.empty((2, len(codes)), dtype=np.int64)
        found = find_samples(
            scores.view(np.int64), bins.prefix_bits, *bins.tables, wanted, keys, indices
        )
        at = indices[:found]
        weight = np.asarray(weights[0], dtype=np.float64)[at] if weights else np.ones(found)
        held = weight > 0.0
        pieces.append((keys[:found][held], codes[at][held].astype(np.int16), weight[held]))
    keys = np.concatenate([piece[0] for piece in pieces])
    codes = np.concatenate([piece[1] for piece in pieces])
    masses = np.concatenate([piece[2] for piece in pieces])
    del pieces
    distinct, row = np.unique(keys, return_inverse=True)
    table = np.zeros((len(distinct), r))
    np.add.at(table, (row, codes), masses)
    return scores_of_keys(distinct), table
