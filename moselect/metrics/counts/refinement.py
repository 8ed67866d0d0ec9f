"""Which bins to divide so that the bounds of the ranking measures become narrow."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from moselect._types import Integers

CELLS = 3 << 23  # integers in 192 MiB
LINE = 8  # integers in a line of the processor's caches
SAFETY = 4.0  # parts are not equally full, and their number is rounded to a power of two


def row_width(n_classes: int) -> int:
    """Return how many integers hold the counts and the two ends of a bin, without straddling.

    A sample that is counted waits for memory once if its bin lies in one line of the caches.
    """
    needed = n_classes + 2
    return 1 << (needed - 1).bit_length() if needed <= LINE else -(-needed // LINE) * LINE


def bins_to_divide(
    counts: NDArray[Any],
    extremes: Integers,
    order: Integers,
    tolerance: float,
    max_bins: int | None = None,
) -> tuple[Integers, Integers, Integers, Integers]:
    """Return the bins to divide, from and to which key, and the shift of their parts.

    The pairs of classes in a bin, as a share of all such pairs and added up over the pairs of
    classes, bound what the bin adds to the width of every measure: of an AUC, since those are its
    pairs; of VUS, since a sequence of unknown order has two neighbouring classes in one bin. A bin
    of width g in s parts adds about g / s, so the sum is least for s proportional to sqrt(g).

    Parameters
    ----------
    counts : ndarray of shape (n_nodes, r)
    extremes : ndarray of int64, shape (n_nodes, 2)
    order : ndarray of int64, shape (n_bins,)
    tolerance : float
        Width that is wanted.
    max_bins : int, optional
        About as many parts are made at most.

    Returns
    -------
    nodes, low, high, shift : ndarray of int64, shape (d,)
    """
    budget = max(CELLS // row_width(counts.shape[1]) if max_bins is None else max_bins, 2)
    low, high = extremes[order].T
    nodes = order[low < high]  # two scores at least
    totals = np.maximum(counts.sum(axis=0), np.finfo(float).tiny)
    shares = counts[nodes] / totals
    width = 0.5 * np.maximum(shares.sum(axis=1) ** 2 - (shares**2).sum(axis=1), 0.0)
    mixed = np.count_nonzero(shares, axis=1) > 1
    nodes, width = nodes[mixed], width[mixed]
    if width.sum() <= tolerance:
        nodes, width = nodes[:0], width[:0]
    roots = np.sqrt(width)
    wanted = SAFETY * roots * roots.sum() / max(tolerance, np.finfo(float).tiny)
    if counts.dtype.kind == "i":  # more parts than this would separate almost no more samples
        wanted = np.minimum(wanted, counts[nodes].sum(axis=1).astype(np.float64) ** 2)
    parts = np.maximum(wanted * min(1.0, 0.5 * budget / max(wanted.sum(), 1.0)), 2.0)
    low, high = extremes[nodes].T
    bits_of_span = np.ceil(np.log2((high - low).astype(np.float64) + 1.0))
    shift = np.maximum(bits_of_span - np.ceil(np.log2(parts)), 0.0).astype(np.int64)
    return nodes, low, high, shift
