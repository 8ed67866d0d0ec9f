"""Counts of samples by class in ordered bins of scores, which can be merged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect._kernels.score_bins import count_scores, first_not_finite
from moselect._types import Floats, Integers
from moselect._validation import check_weights
from moselect.labels import class_labels, encode_labels
from moselect.metrics.counts.refinement import LINE, bins_to_divide, row_width
from moselect.metrics.counts.score_bins import ScoreBins, scores_of_keys

FORMAT = "moselect ranking counts 1"
BINS_AT_A_TIME = 1 << 16


class OccupiedBins(NamedTuple):
    """The bins that hold samples, by ascending score.

    Attributes
    ----------
    counts : ndarray of float64, shape (m, r)
        Weight of the samples of each class.
    low, high : ndarray of float64, shape (m,)
        Lowest and highest score.
    nodes : ndarray of int64, shape (m,)
        Their numbers in `ScoreBins`.
    """

    counts: Floats
    low: Floats
    high: Floats
    nodes: Integers

    @property
    def tied(self) -> NDArray[np.bool_]:
        """Whether all samples of a bin have the same score."""
        return self.low == self.high


class RankingCounts:
    """Weights of the samples of each class in ordered bins of scores.

    They are filled part by part, on one machine or many, and merged: what comes out does not
    depend on how the samples were split or in which order they came. The ranking measures follow
    from them with a lower and an upper bound, because only the order of samples in one bin is
    unknown (`ranking_bounds`). `refine` returns empty counts with finer bins for a second pass.

    Parameters
    ----------
    classes : sequence of length r
        All classes, lowest first.
    bins : ScoreBins, optional
        The bins; by default those of the highest 20 bits of a float.
    weighted : bool, default=False
        Whether samples have weights. Without, counts are integers and sums always exact; with
        weights, sums are exact if the weights are whole numbers, else rounded as floats are.

    Attributes
    ----------
    classes : ndarray of shape (r,)
    bins : ScoreBins
    weighted : bool

    Raises
    ------
    ValueError
        If there are fewer than two classes, or one twice.

    Examples
    --------
    >>> first = RankingCounts([1, 2, 3]).update([1, 2], [0.1, 0.2])
    >>> second = RankingCounts([1, 2, 3]).update([2, 3], [0.4, 0.3])
    >>> first.merge(second).class_weights
    array([1., 2., 1.])
    """

    def __init__(
        self,
        classes: Sequence[Any] | NDArray[Any],
        *,
        bins: ScoreBins | None = None,
        weighted: bool = False,
    ) -> None:
        self.classes = class_labels(classes, classes)
        if len(self.classes) < 2:
            raise ValueError(f"a ranking needs at least 2 classes, not {len(self.classes)}")
        self.bins = ScoreBins.by_prefix() if bins is None else bins
        self.weighted = weighted
        # One row a bin, lowest and highest key before the counts: a sample waits for memory once.
        width = row_width(len(self.classes))
        cells = np.zeros(self.bins.n_nodes * width + LINE, dtype=np.int64)
        first = -(cells.ctypes.data // cells.itemsize) % LINE  # where a line begins
        self._rows = cells[first : first + self.bins.n_nodes * width].reshape(-1, width)
        self._extremes[:] = np.iinfo(np.int64).max, np.iinfo(np.int64).min

    @property
    def _extremes(self) -> Integers:
        return self._rows[:, :2]

    @property
    def _counts(self) -> NDArray[Any]:
        rows = self._rows.view(np.float64) if self.weighted else self._rows
        return rows[:, 2 : 2 + len(self.classes)]

    def update(
        self, y_true: ArrayLike, y_score: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> RankingCounts:
        """Add samples.

        Parameters
        ----------
        y_true : array-like of shape (n,)
            Labels, each one of ``classes``.
        y_score : array-like of shape (n,)
            Scores; higher means a higher class.
        sample_weight : array-like of shape (n,), optional
            Weights, if and only if these counts are weighted.

        Returns
        -------
        RankingCounts
            These counts.

        Raises
        ------
        ValueError
            If lengths differ, scores are not finite, a label is unknown, or weights are negative
            or not finite. Nothing is counted then.
        """
        codes = encode_labels(y_true, self.classes)
        scores = np.ascontiguousarray(y_score, dtype=np.float64)
        if scores.shape != codes.shape:
            raise ValueError(
                f"y_true has {len(codes)} samples but y_score has shape {scores.shape}"
            )
        if (sample_weight is not None) != self.weighted:
            wanted = "need" if self.weighted else "were made without"
            raise ValueError(f"these counts {wanted} sample weights: weighted={self.weighted}")
        if len(codes) == 0:
            return self
        at = first_not_finite(scores.view(np.int64))
        if at >= 0:
            raise ValueError(f"y_score[{at}] is {scores[at]}: scores must be finite")
        weights = check_part_weights(sample_weight, len(codes))
        bins = self.bins
        count_scores(
            scores.view(np.int64),
            codes,
            weights,
            bins.prefix_bits,
            *bins.tables,
            self._counts,
            self._extremes,
        )
        return self

    def merge(self, other: RankingCounts) -> RankingCounts:
        """Return the counts of the samples of both.

        Merging is commutative, and associative: exactly so without weights or with whole
        numbers as weights, else up to rounding.

        Raises
        ------
        ValueError
            If classes or bins differ, or only one of them is weighted.
        """
        if self.classes.tolist() != other.classes.tolist():
            raise ValueError(
                f"counts of classes {self.classes.tolist()} and {other.classes.tolist()} "
                "cannot be merged"
            )
        if self.weighted != other.weighted:
            raise ValueError("counts with weights and without cannot be merged")
        if self.bins != other.bins:
            raise ValueError("counts in different bins cannot be merged")
        merged = RankingCounts(self.classes, bins=self.bins, weighted=self.weighted)
        np.add(self._counts, other._counts, out=merged._counts)
        for column, wider in ((0, np.minimum), (1, np.maximum)):
            ends = (self._extremes[:, column], other._extremes[:, column])
            wider(*ends, out=merged._extremes[:, column])
        return merged

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RankingCounts):
            return NotImplemented
        return (
            self.classes.tolist() == other.classes.tolist()
            and self.weighted == other.weighted
            and self.bins == other.bins
            and np.array_equal(self._counts, other._counts)
            and np.array_equal(self._extremes, other._extremes)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def class_weights(self) -> Floats:
        """Total weight (r,) of the samples of each class."""
        return self._counts.sum(axis=0).astype(np.float64)

    def occupied(self, span: slice = slice(None)) -> OccupiedBins:
        """Return the bins that hold samples, by ascending score, or a ``span`` of them."""
        return self._bins_at(self._occupied_nodes()[span])

    def occupied_blocks(self) -> Iterator[OccupiedBins]:
        """Yield the bins that hold samples by ascending score, some at a time: to save memory."""
        nodes = self._occupied_nodes()
        for start in range(0, len(nodes), BINS_AT_A_TIME):
            yield self._bins_at(nodes[start : start + BINS_AT_A_TIME])

    def _occupied_nodes(self) -> Integers:
        order = self.bins.order
        nodes: Integers = order[(self._extremes[:, 0] <= self._extremes[:, 1])[order]]
        return nodes

    def _bins_at(self, nodes: Integers) -> OccupiedBins:
        low, high = self._extremes[nodes].T
        counts = np.empty((len(nodes), len(self.classes)))
        for column, values in zip(counts.T, self._counts.T, strict=True):  # one at a time: memory
            column[:] = values[nodes]
        return OccupiedBins(counts, scores_of_keys(low), scores_of_keys(high), nodes)

    def refine(self, tolerance: float = 1e-6, max_bins: int | None = None) -> RankingCounts:
        """Return empty counts whose bins are finer where samples of different classes meet.

        Fill them with the same samples again. A bin is divided between its lowest and highest
        score, so a few ties in it are separated at once.

        Parameters
        ----------
        tolerance : float, default=1e-6
            Largest difference of upper and lower bound that is wanted of any AUC.
        max_bins : int, optional
            About as many bins are made at most; by default as many as fit into 192 MiB.

        Returns
        -------
        RankingCounts
            With the same bins if there is nothing to divide.
        """
        divided = bins_to_divide(self._counts, self._extremes, self.bins.order, tolerance, max_bins)
        bins = self.bins.divide(*divided) if len(divided[0]) else self.bins
        return RankingCounts(self.classes, bins=bins, weighted=self.weighted)

    def __getstate__(self) -> dict[str, Any]:
        low, high = self._extremes.T
        nodes = np.flatnonzero(low <= high)
        return {
            "classes": self.classes,
            "bins": self.bins,
            "weighted": self.weighted,
            "nodes": nodes,
            "counts": self._counts[nodes],
            "extremes": self._extremes[nodes],
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["classes"], bins=state["bins"], weighted=state["weighted"])  # type: ignore[misc]
        self._counts[state["nodes"]] = state["counts"]
        self._extremes[state["nodes"]] = state["extremes"]

    def to_document(self) -> dict[str, Any]:
        """Return the counts in the terms of JSON: lists, numbers and text."""
        state = self.__getstate__()
        return {
            "format": FORMAT,
            "classes": self.classes.tolist(),
            "weighted": self.weighted,
            "bins": self.bins.to_document(),
            "nodes": state["nodes"].tolist(),
            "counts": state["counts"].tolist(),
            "extremes": state["extremes"].tolist(),
        }

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> RankingCounts:
        """Return the counts of a document; ValueError if it is not one of `to_document`."""
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise ValueError(f"this is no document of the format '{FORMAT}'")
        try:
            bins = ScoreBins.from_document(document["bins"])
            counts = cls(document["classes"], bins=bins, weighted=document["weighted"] is True)
            nodes = np.asarray(document["nodes"], dtype=np.int64)
            shape = (len(nodes), len(counts.classes))
            values = np.asarray(document["counts"], dtype=counts._counts.dtype)
            extremes = np.asarray(document["extremes"], dtype=np.int64)
        except (KeyError, TypeError, OverflowError) as error:
            raise ValueError(f"the ranking counts are broken: {error!r}") from error
        if len(nodes) == values.size == extremes.size == 0:
            return counts
        if values.shape != shape or extremes.shape != (len(nodes), 2):
            raise ValueError("the ranking counts are broken: lists differ in length")
        if not np.isfinite(values).all() or (values < 0).any():
            raise ValueError("the ranking counts are broken: counts must not be negative")
        if len(nodes) and not (nodes.min() >= 0 and nodes.max() < bins.n_nodes):
            raise ValueError("the ranking counts are broken: there is no such bin")
        if len(np.unique(nodes)) < len(nodes) or (bins.children[nodes] >= 0).any():
            raise ValueError("the ranking counts are broken: a bin twice, or one that was divided")
        if (extremes[:, 0] > extremes[:, 1]).any():
            raise ValueError("the ranking counts are broken: a highest score below the lowest")
        counts._counts[nodes] = values
        counts._extremes[nodes] = extremes
        filled = counts._extremes[bins.order]
        filled = filled[filled[:, 0] <= filled[:, 1]]
        if (filled[1:, 0] <= filled[:-1, 1]).any():
            raise ValueError("the ranking counts are broken: bins overlap")
        return counts


def check_part_weights(sample_weight: ArrayLike | None, n: int) -> Floats | None:
    """Return the weights of a part, which may all be 0, and must not be rescaled."""
    if sample_weight is None:
        return None
    weights = np.ascontiguousarray(sample_weight, dtype=np.float64)
    if weights.shape == (n,) and not weights.any():  # which is no error in a part
        return weights
    check_weights(weights, n)
    return weights
