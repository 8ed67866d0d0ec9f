"""Counts of samples by class in ordered bins of scores, filled part by part and added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect._types import Floats, Integers
from moselect._validation import all_finite, as_numbers
from moselect.labels import class_labels, encode_labels

PREFIX_BITS = 20  # sign, exponent and 8 bits of the mantissa: 256 bins from 1 to 2
MOST_CELLS = 3 << 22  # numbers in 96 MiB
SAFETY = 1.2  # the parts of a bin are not equally full


class RankingCounts:
    """Numbers of samples of each class in ordered bins of scores.

    They are filled part by part, on one machine or many, and added: what comes out does
    not depend on how the samples were split or in which order they came. The ranking
    measures follow from them with a lower and an upper bound, because only the order of
    samples in one bin is unknown (`ranking_bounds`). `refine` returns empty counts with
    finer bins for a second pass.

    Parameters
    ----------
    classes : sequence of length r
        All classes, lowest first.
    edges : ndarray of shape (m - 1,), optional
        Ascending scores at which the bins after the first begin; by default the floats
        whose highest 20 bits alone are set.

    Attributes
    ----------
    classes : ndarray of shape (r,)
    edges : ndarray of shape (m - 1,)
    counts : ndarray of int64, shape (m, r)
    lowest, highest : ndarray of shape (m,)
        Least and greatest score in each bin; infinite, and minus infinite, where there is
        none.

    Raises
    ------
    ValueError
        If there are fewer than two classes, or one twice.

    Examples
    --------
    >>> first = RankingCounts([1, 2, 3]).update([1, 2], [0.1, 0.2])
    >>> second = RankingCounts([1, 2, 3]).update([2, 3], [0.4, 0.3])
    >>> (first + second).class_counts
    array([1, 2, 1])
    """

    def __init__(
        self, classes: Sequence[Any] | NDArray[Any], edges: Floats | None = None
    ) -> None:
        self.classes = class_labels(classes, classes)
        if len(self.classes) < 2:
            raise ValueError(
                f"a ranking needs at least 2 classes, not {len(self.classes)}"
            )
        self.edges = prefix_edges(PREFIX_BITS) if edges is None else edges
        m = len(self.edges) + 1
        self.counts: Integers = np.zeros((m, len(self.classes)), dtype=np.int64)
        self.lowest, self.highest = np.full(m, np.inf), np.full(m, -np.inf)

    def update(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        sample_weight: ArrayLike | None = None,
    ) -> RankingCounts:
        """Add samples: labels (n,) out of ``classes``, and their scores (n,); return these counts.

        Weights (n,) are whole numbers: how often each sample counts.

        Raises
        ------
        ValueError
            If lengths differ, scores are not finite, weights are no counts, or a label is
            unknown; nothing is counted.
        """
        codes = encode_labels(y_true, self.classes)
        scores = np.asarray(y_score, dtype=np.float64)
        if scores.shape != codes.shape:
            raise ValueError(
                f"y_true has {len(codes)} samples but y_score has shape {scores.shape}"
            )
        if not all_finite(scores):
            index = np.flatnonzero(~np.isfinite(scores))[0]
            raise ValueError(
                f"y_score[{index}] is {scores[index]}: scores must be finite"
            )
        counts = check_counts(sample_weight)
        bins = np.searchsorted(self.edges, scores, side="right")
        np.add.at(self.counts, (bins, codes), counts)
        np.minimum.at(self.lowest, bins, scores)
        np.maximum.at(self.highest, bins, scores)
        return self

    def __add__(self, other: RankingCounts) -> RankingCounts:
        """Return the counts of the samples of both; ValueError if classes or bins differ."""
        if self.classes.tolist() != other.classes.tolist():
            raise ValueError(
                f"counts of classes {self.classes.tolist()} and {other.classes.tolist()} "
                "cannot be added"
            )
        if not np.array_equal(self.edges, other.edges):
            raise ValueError("counts in different bins cannot be added")
        total = RankingCounts(self.classes, self.edges)
        np.add(self.counts, other.counts, out=total.counts)
        np.minimum(self.lowest, other.lowest, out=total.lowest)
        np.maximum(self.highest, other.highest, out=total.highest)
        return total

    @property
    def class_counts(self) -> Integers:
        """Number (r,) of samples of each class."""
        return self.counts.sum(axis=0)

    def refine(self, tolerance: float = 1e-6) -> RankingCounts:
        """Return empty counts whose bins are finer where samples of different classes meet.

        Fill them with the same samples again. A bin is divided between its lowest and
        highest score, so a few ties in it are separated at once. ``tolerance`` is the
        largest difference of upper and lower bound of any measure; bins that fill more
        than 96 MiB are not made for it.
        """
        divided, width = self._unknown_pairs()
        if width.sum() <= tolerance:
            return RankingCounts(self.classes, self.edges)
        # A bin of width g in s parts adds about g / s: least in sum for s proportional to sqrt(g).
        roots = np.sqrt(width)
        parts = SAFETY * roots * roots.sum() / tolerance
        n_pairs = self.counts[divided].sum(axis=1).astype(np.float64) ** 2
        # more parts would separate almost no more samples
        parts = np.minimum(parts, n_pairs)
        filled = self.lowest <= self.highest
        edges = self.edges[filled[:-1] | filled[1:]]
        room = max(MOST_CELLS // (len(self.classes) + 2) - len(edges), 2)
        parts = np.maximum(parts * min(1.0, room / parts.sum()), 2.0).astype(np.int64)
        lowest, highest = self.lowest[divided], self.highest[divided]
        step = np.repeat((highest - lowest) / parts, parts)
        part = np.arange(parts.sum()) - np.repeat(np.cumsum(parts) - parts, parts)
        inner = np.repeat(lowest, parts) + step * (part + 1)
        return RankingCounts(
            self.classes, np.unique(np.concatenate([edges, inner, highest]))
        )

    def _unknown_pairs(self) -> tuple[Integers, Floats]:
        """Return the bins (d,) of unknown order, and their share (d,) of all pairs of classes.

        Added up over the pairs of classes, that bounds what a bin adds to the width of
        every measure: of an AUC, since those are its pairs; of VUS, since a sequence of
        unknown order has two neighbouring classes in one bin.
        """
        bins = np.flatnonzero(self.lowest < self.highest)
        shares = self.counts[bins] / np.maximum(self.class_counts, 1)
        mixed = np.count_nonzero(shares, axis=1) > 1
        bins, shares = bins[mixed], shares[mixed]
        return bins, 0.5 * (shares.sum(axis=1) ** 2 - (shares**2).sum(axis=1))

    def __getstate__(self) -> dict[str, Any]:
        filled = np.flatnonzero(self.lowest <= self.highest)  # most bins are empty
        columns = (self.counts[filled], self.lowest[filled], self.highest[filled])
        return {"of": (self.classes, self.edges), "filled": filled, "columns": columns}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(*state["of"])  # type: ignore[misc]
        for column, values in zip(
            (self.counts, self.lowest, self.highest), state["columns"], strict=True
        ):
            column[state["filled"]] = values


def check_counts(sample_weight: ArrayLike | None) -> Integers | int:
    """Return how often each sample counts (n,); 1 without weights."""
    if sample_weight is None:
        return 1
    weights = as_numbers("sample_weight", sample_weight)
    if not ((weights >= 0.0) & (weights % 1.0 == 0.0)).all():
        raise ValueError(
            "part by part, weights must be counts (0, 1, 2, ...): with others, measure one file of "
            "at most 512 MB, which is read as a whole"
        )
    return weights.astype(np.int64)


def prefix_edges(bits: int) -> Floats:
    """Return the finite floats of which no bits but the highest are set, ascending."""
    patterns = np.arange(1 << bits, dtype=np.uint64) << np.uint64(64 - bits)
    floats = patterns.view(np.float64)
    return np.unique(floats[np.isfinite(floats)])
