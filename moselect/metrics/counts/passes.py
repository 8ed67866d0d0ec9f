"""Ranking measures of data that are read part by part, as often as it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect._kernels.score_bins import find_samples
from moselect._types import Floats, Integers
from moselect._validation import Ties, check_ties, require_samples
from moselect.labels import encode_labels
from moselect.metrics.counts.bounds import RankingBounds, sweep
from moselect.metrics.counts.ranking_counts import OccupiedBins, RankingCounts
from moselect.metrics.counts.score_bins import scores_of_keys

Part = Sequence[ArrayLike]  # labels, scores, and weights if there are any
Parts = Callable[[], Iterable[Part]]
MOST_PASSES = 4
SAMPLES_AT_A_TIME = 1 << 22  # a quarter of a gigabyte with the room for sorting
SCORES_AT_A_TIME = 1 << 16  # different ones, whose counts of classes are made at a time


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
    return sweep(counts.occupied_blocks(), counts.class_weights, False).width < tolerance


def count_parts(parts: Parts, empty: RankingCounts) -> RankingCounts:
    """Fill counts with all parts of some data.

    Examples
    --------
    >>> def parts():
    ...     yield [1, 2, 2], [0.1, 0.2, 0.4]
    ...     yield [1, 3], [0.3, 0.5]
    >>> count_parts(parts, RankingCounts([1, 2, 3])).class_weights
    array([2., 2., 1.])
    """
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

    Examples
    --------
    >>> def parts():
    ...     for seed in range(3):
    ...         y = np.random.default_rng(seed).integers(0, 3, 100)
    ...         yield y, y + np.random.default_rng(seed + 3).normal(size=100)
    >>> counts = count_parts(parts, RankingCounts(range(3)))
    >>> exact_ranking_bounds(parts, counts).width
    0.0
    """
    half_credit = check_ties(ties)
    require_samples(counts.class_weights, counts.classes, "every ranking measure")
    blocks = _exact_blocks(parts, counts, samples_at_a_time)
    return sweep(blocks, counts.class_weights, half_credit)


class _Samples(NamedTuple):
    """Scores, class codes and weights of samples, or of bins in which no order is unknown."""

    scores: Floats
    codes: NDArray[np.int16]
    weights: Floats


def _exact_blocks(parts: Parts, counts: RankingCounts, at_a_time: int) -> Iterator[OccupiedBins]:
    """Yield the bins in ascending blocks, those of unknown order score by score."""
    work = np.concatenate([_to_sort(block) for block in counts.occupied_blocks()])
    passes = (np.cumsum(work) - work) // at_a_time  # of each bin
    edges = np.flatnonzero(np.diff(passes, prepend=-1.0)).tolist()
    del work, passes
    for first, last in zip(edges, [*edges[1:], None], strict=True):
        block = counts.occupied(slice(first, last))
        unknown = _is_unknown(block)
        rows, codes = np.nonzero(block.counts)
        known = ~unknown[rows]
        rows, codes = rows[known], codes[known]
        whole = _Samples(block.low[rows], codes.astype(np.int16), block.counts[rows, codes])
        if unknown.any():
            single = _read_samples(parts, counts, block.nodes[unknown])
            if not np.isclose(single.weights.sum(), block.counts[unknown].sum(), rtol=1e-9):
                raise ValueError("the data changed from one pass to the next")
            whole = _joined([whole, single])
            del single
        del block, unknown, rows, codes, known
        yield from _by_score(whole, len(counts.classes))


def _is_unknown(block: OccupiedBins) -> NDArray[np.bool_]:
    """Return whether the order of samples of different classes in a bin is unknown."""
    unknown: NDArray[np.bool_] = (np.count_nonzero(block.counts, axis=1) > 1) & ~block.tied
    return unknown


def _to_sort(block: OccupiedBins) -> Floats:
    """Count the samples of each bin that are to be sorted; 1 where none has to be."""
    sizes: Floats = np.where(_is_unknown(block), block.counts.sum(axis=1), 1.0)
    return sizes


def _read_samples(parts: Parts, counts: RankingCounts, nodes: Integers) -> _Samples:
    """Return all samples in some bins."""
    bins = counts.bins
    wanted = np.zeros(bins.n_nodes, dtype=np.bool_)
    wanted[nodes] = True
    pieces = [_Samples(np.empty(0), np.empty(0, dtype=np.int16), np.empty(0))]
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
        pieces.append(
            _Samples(
                scores_of_keys(keys[:found][held]), codes[at][held].astype(np.int16), weight[held]
            )
        )
    return _joined(pieces)


def _joined(pieces: Sequence[_Samples]) -> _Samples:
    return _Samples(
        np.concatenate([piece.scores for piece in pieces]),
        np.concatenate([piece.codes for piece in pieces]),
        np.concatenate([piece.weights for piece in pieces]),
    )


def _by_score(samples: _Samples, n_classes: int) -> Iterator[OccupiedBins]:
    """Yield a bin for each different score, ascending, some at a time."""
    order = np.argsort(samples.scores)
    scores = samples.scores[order]
    starts = np.flatnonzero(np.append(True, scores[1:] != scores[:-1]))
    for first in range(0, len(starts), SCORES_AT_A_TIME):
        own = starts[first : first + SCORES_AT_A_TIME + 1]
        end = own[-1] if len(own) > SCORES_AT_A_TIME else len(scores)
        own = own[:SCORES_AT_A_TIME]
        rows = np.repeat(np.arange(len(own)), np.diff(own, append=end))
        at = order[own[0] : end]
        cells = rows * n_classes + samples.codes[at]
        table = np.bincount(cells, samples.weights[at], len(own) * n_classes).astype(np.float64)
        here = scores[own]
        yield OccupiedBins(table.reshape(-1, n_classes), here, here, np.empty(0, dtype=np.int64))
