"""Ordered bins of scores: of equal width in the bits of a float, finer where it matters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from moselect._kernels.score_bins import KEY_BITS
from moselect._kernels.scores import SIGN_FLIP
from moselect._types import Floats, Integers

PREFIX_BITS = 20  # sign, exponent, 8 bits of the mantissa: 256 bins from one power of two on
MOST_BINS = 1 << 28


@dataclass(frozen=True, eq=False)
class ScoreBins:
    """A map from scores to bins that ascends with the score.

    Attributes
    ----------
    prefix_bits : int
        Highest bits of a score that choose its first bin.
    children : ndarray of int64, shape (n_nodes,)
        Row of the tables below for a bin that was divided, else -1.
    low, high, shift, start : ndarray of int64, shape (n_divided,)
        Keys that a divided bin reaches from and to, bits that its parts span, and its first part.
    deeper : ndarray of bool, shape (n_divided,)
        Whether parts of a divided bin were divided in turn.
    order : ndarray of int64, shape (n_bins,)
        The bins that were not divided, by ascending score.
    """

    prefix_bits: int
    children: Integers
    low: Integers
    high: Integers
    shift: Integers
    start: Integers
    deeper: NDArray[np.bool_]
    order: Integers

    @classmethod
    def by_prefix(cls, bits: int = PREFIX_BITS) -> ScoreBins:
        """Return the bins of all scores that agree in their highest bits."""
        if not 2 <= bits <= 24:
            raise ValueError(f"bins are of 2 to 24 bits, not {bits}")
        none = np.empty(0, dtype=np.int64)
        n_bins = 1 << bits
        undivided = np.full(n_bins, -1, dtype=np.int64)
        return cls(bits, undivided, none, none, none, none, none.astype(bool), np.arange(n_bins))

    def __len__(self) -> int:
        return len(self.order)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreBins):
            return NotImplemented
        same_size = (self.prefix_bits, len(self.children)) == (
            other.prefix_bits,
            len(other.children),
        )
        return self is other or (
            same_size
            and all(np.array_equal(a, b) for a, b in zip(self.tables, other.tables, strict=True))
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def n_nodes(self) -> int:
        """Number of bins, those that were divided included."""
        return len(self.children)

    @property
    def tables(self) -> tuple[Integers, Integers, Integers, Integers, Integers, NDArray[np.bool_]]:
        """What the kernels need to find the bin of a score, but for the prefix."""
        return self.children, self.low, self.high, self.shift, self.start, self.deeper

    def divide(self, nodes: Integers, low: Integers, high: Integers, shift: Integers) -> ScoreBins:
        """Divide bins into parts of equal width.

        Parameters
        ----------
        nodes : ndarray of int64, shape (d,)
            The bins, not divided before.
        low, high : ndarray of int64, shape (d,)
            Lowest and highest key known in each: only what lies between them is divided.
        shift : ndarray of int64, shape (d,)
            A part is ``2 ** shift`` keys wide.

        Returns
        -------
        ScoreBins
        """
        sizes = ((high - low) >> shift) + 1
        start = self.n_nodes + np.cumsum(sizes) - sizes
        children = np.append(self.children, np.full(int(sizes.sum()), -1, dtype=np.int64))
        children[nodes] = len(self.low) + np.arange(len(nodes))
        deeper = np.append(self.deeper, np.zeros(len(nodes), dtype=np.bool_))
        parts = nodes[nodes >= 1 << self.prefix_bits]
        deeper[np.searchsorted(self.start, parts, side="right") - 1] = True
        repeats = np.ones(self.n_nodes, dtype=np.int64)
        repeats[nodes] = sizes
        first = np.arange(self.n_nodes)
        first[nodes] = start
        repeats = repeats[self.order]
        order = np.repeat(first[self.order] - (np.cumsum(repeats) - repeats), repeats)
        order += np.arange(len(order))
        return ScoreBins(
            self.prefix_bits,
            children,
            np.append(self.low, low),
            np.append(self.high, high),
            np.append(self.shift, shift),
            np.append(self.start, start),
            deeper,
            order,
        )

    def to_document(self) -> dict[str, Any]:
        """Return the bins in the terms of JSON."""
        nodes = np.flatnonzero(self.children >= 0)
        nodes = nodes[np.argsort(self.children[nodes])]
        return {
            "prefix_bits": self.prefix_bits,
            "divided": nodes.tolist(),
            "low": self.low.tolist(),
            "high": self.high.tolist(),
            "shift": self.shift.tolist(),
        }

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> ScoreBins:
        """Return the bins of a document; ValueError if they are not in ascending order."""
        bins = cls.by_prefix(int(document["prefix_bits"]))
        nodes, low, high, shift = (
            np.asarray(document[name], dtype=np.int64)
            for name in ("divided", "low", "high", "shift")
        )
        if not len(nodes) == len(low) == len(high) == len(shift):
            raise ValueError("the lists of divided bins differ in length")
        if (high < low).any() or (shift < 0).any() or (shift >= KEY_BITS).any():
            raise ValueError("divided bins need low <= high and a shift of 0 to 63 bits")
        if len(np.unique(nodes)) < len(nodes):
            raise ValueError("a bin is divided twice")
        if (((high - low) >> shift) + 1.0).sum() > MOST_BINS:
            raise ValueError(f"there are more than {MOST_BINS:,} bins")
        at = 0
        while at < len(nodes):  # bins made by one division may be divided by a later one
            known = np.append((nodes[at:] >= 0) & (nodes[at:] < bins.n_nodes), False)
            level = slice(at, at + int(known.argmin()))
            if level.stop == at:
                raise ValueError(f"bin {nodes[at]} is divided, but there is no such bin")
            bins = bins.divide(nodes[level], low[level], high[level], shift[level])
            at = level.stop
        return bins


def scores_of_keys(keys: NDArray[np.int64]) -> Floats:
    """Return the scores of keys; the inverse of the kernels' map.

    Examples
    --------
    >>> scores_of_keys(np.array([0, 1 << 62]))
    array([0., 2.])
    """
    return np.where(keys < 0, keys ^ SIGN_FLIP, keys).view(np.float64)
