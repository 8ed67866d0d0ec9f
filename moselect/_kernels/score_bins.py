"""Count samples by class in ordered bins of scores.

The key of a score is an integer of the same order. Its highest bits choose one of the first
bins; a bin that was divided leads to smaller ones, ``children[node]`` being the row of ``low``,
``high``, ``shift`` and ``start`` that says how, or -1. Keys outside ``low .. high`` go to the
nearest of the smaller bins, so the map from score to bin ascends for every score. ``deeper`` says
whether any of the smaller bins was divided in turn: a look at ``children`` is a wait for memory.
"""

from __future__ import annotations

import numpy as np

from moselect._kernels.compilation import kernel
from moselect._kernels.ranked_keys import NEGATIVE_ZERO
from moselect._kernels.scores import SIGN_FLIP

KEY_BITS = 64
TILE = 256
NOT_FINITE = np.int64(0x7FF0000000000000)  # exponent bits of infinities and NaN


@kernel(inline="always")
def _key(raw):
    raw = np.int64(0) if raw == NEGATIVE_ZERO else raw
    return raw ^ ((raw >> np.int64(63)) & SIGN_FLIP)


@kernel(inline="always")
def _find_bin(key, prefix_bits, children, low, high, shift, start, deeper):
    offset = np.int64(1) << np.int64(prefix_bits - 1)
    node = (key >> np.int64(KEY_BITS - prefix_bits)) + offset
    child = children[node]
    while child >= 0:
        inside = min(max(key, low[child]), high[child]) - low[child]
        node = start[child] + (inside >> shift[child])
        child = children[node] if deeper[child] else np.int64(-1)
    return node


@kernel
def first_not_finite(score_bits):
    """Return the index of the first score that is not a finite number, or -1."""
    for i in range(score_bits.shape[0]):
        if (score_bits[i] & NOT_FINITE) == NOT_FINITE:
            return i
    return -1


@kernel
def count_scores(
    score_bits,
    codes,
    weights,
    prefix_bits,
    children,
    low,
    high,
    shift,
    start,
    deeper,
    counts,
    extremes,
):
    """Add samples to ``counts`` (nodes, r) and their keys to ``extremes`` (nodes, 2).

    ``extremes`` holds the lowest and highest key in each bin. Samples of weight 0 are left out.
    """
    keys = np.empty(TILE, dtype=np.int64)
    nodes = np.empty(TILE, dtype=np.int64)
    n = score_bits.shape[0]
    for first in range(0, n, TILE):  # in two steps, so that many waits for memory overlap
        width = min(TILE, n - first)
        for i in range(width):
            keys[i] = _key(score_bits[first + i])
            nodes[i] = _find_bin(keys[i], prefix_bits, children, low, high, shift, start, deeper)
        for i in range(width):
            key, node = keys[i], nodes[i]
            if weights is None:
                counts[node, codes[first + i]] += 1
            elif weights[first + i] > 0.0:
                counts[node, codes[first + i]] += weights[first + i]
            else:
                continue
            if key < extremes[node, 0]:
                extremes[node, 0] = key
            if key > extremes[node, 1]:
                extremes[node, 1] = key


@kernel
def find_samples(
    score_bits, prefix_bits, children, low, high, shift, start, deeper, wanted, keys, indices
):
    """List the samples whose bin is ``wanted`` (nodes,): their keys and indices.

    Returns their number.
    """
    found = 0
    for i in range(score_bits.shape[0]):
        key = _key(score_bits[i])
        node = _find_bin(key, prefix_bits, children, low, high, shift, start, deeper)
        if wanted[node]:
            keys[found] = key
            indices[found] = i
            found += 1
    return found
