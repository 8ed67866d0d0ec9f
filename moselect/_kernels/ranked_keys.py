"""Integer keys that sort given scores and their labels together, without losing a tie.

The class code ``r - 1 - class`` replaces the lowest bits of an order-preserving integer image of
the score, so one sort of plain integers sorts both, the higher class first within a tie. Scores
that differ only in the bits that are lost would become ties: `has_mixed_prefix` finds after the
sort whether that could matter, and `splits_prefix` whether it does.
"""

from __future__ import annotations

import numpy as np

from moselect._kernels.compilation import kernel
from moselect._kernels.scores import sort_key

NEGATIVE_ZERO = np.int64(-0x8000000000000000)


@kernel
def pack_keys(score_bits, codes, n_classes, bits, keys):
    """Fill ``keys`` (n,) from the bit patterns of scores (n,) and class codes (n,).

    Returns whether any score had one of its lowest bits set, that is, whether precision was lost.
    """
    low_bits = (np.int64(1) << np.int64(bits)) - np.int64(1)
    top = n_classes - 1
    lost = np.int64(0)
    for i in range(score_bits.shape[0]):
        raw = score_bits[i]
        raw = np.int64(0) if raw == NEGATIVE_ZERO else raw
        lost |= raw & low_bits
        keys[i] = sort_key(raw, low_bits, top - codes[i])
    return lost != 0


@kernel
def has_mixed_prefix(keys, bits):
    """Return whether sorted ``keys`` (n,) of different classes agree in all but the class."""
    low_bits = (np.int64(1) << np.int64(bits)) - np.int64(1)
    mixed = np.int64(0)
    for i in range(1, keys.shape[0]):
        tied = (keys[i] | low_bits) == (keys[i - 1] | low_bits)
        mixed += np.int64(tied & (keys[i] != keys[i - 1]))
    return mixed > 0


@kernel
def splits_prefix(keys, bits, scores):
    """Return whether scores differ among samples of two classes that sorted ``keys`` call tied.

    ``scores`` (n,) are sorted, or in the order of the keys: either way those of one prefix have
    the same positions as its keys.
    """
    low_bits = (np.int64(1) << np.int64(bits)) - np.int64(1)
    n = keys.shape[0]
    start = 0
    while start < n:
        prefix = keys[start] | low_bits
        stop = start + 1
        while stop < n and (keys[stop] | low_bits) == prefix:
            stop += 1
        if keys[start] != keys[stop - 1]:
            for i in range(start + 1, stop):
                if scores[i] != scores[start]:
                    return True
        start = stop
    return False
