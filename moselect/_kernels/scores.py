"""Scores: linear ones in a fixed order of additions, their sort keys, and sums of trees.

A score keeps ``52 - bits`` bits of its mantissa, where a class code takes ``bits`` bits.
That leaves room for the class in the low bits of an order-preserving integer, so that one
sort of plain integers sorts scores and labels together, and it costs nothing in exactness
as long as everyone who scores a sample does it here: `predict`, the measures and the
search then agree to the last bit, and equal rows tie wherever they stand in a batch.
(BLAS guarantees neither.)

Keys of given scores lose none of their ties: `pack_keys` tells whether bits were lost,
and `has_mixed_prefix` after the sort whether that could matter.
"""

import numpy as np

from moselect._kernels.compilation import inlined, kernel
from moselect._types import Floats, Integers

SIGN_FLIP = np.int64(0x7FFFFFFFFFFFFFFF)
NO_CODES = np.empty(0, dtype=np.int64)
TILE = 512


@inlined
def sort_key(score_bits, low_bits, code):
    """Order-preserving integer of a score's bit pattern, its lowest bits replaced by a code."""
    # Bit patterns of negative floats descend as integers: flipping all but their sign
    # makes them ascend.
    ordered = score_bits ^ ((score_bits >> np.int64(63)) & SIGN_FLIP)
    return (ordered & ~low_bits) | code


@kernel
def score_rows(features, weights, codes, bits, tile, tile_bits, out):
    """Fill ``out`` (P, n) with the bit patterns of rounded scores, or with sort keys.

    Scores are ``weights`` (P, p) times ``features`` (p, n). Keys are made with ``codes``
    (n,), ``r - 1 - class``; without codes (0,) bit patterns stay as they are. One kernel
    does both, because the loops over features take long to compile. ``tile`` (TILE,) is
    scratch for scores, and ``tile_bits`` a view of it as integers.
    """
    n = features.shape[1]
    low_bits = (1 << bits) - 1
    for start in range(0, n, TILE):
        stop = min(start + TILE, n)
        tile_codes = codes[start:stop]
        for particle in range(weights.shape[0]):
            tile[:] = 0.0
            # A fixed order of additions, whichever the batch: equal rows get equal bits.
            for j in range(features.shape[0]):
                w = weights[particle, j]
                feature = features[j, start:stop]
                for i in range(stop - start):
                    tile[i] += w * feature[i]
            for i in range(stop - start):
                # Clearing the low bits rounds the score toward zero and makes room for the
                # class code.
                tile_bits[i] &= ~low_bits
            for i in range(stop - start):
                tile[i] += 0.0  # -0.0 becomes 0.0: they are one score and must be one key
            tile_out = out[particle, start:stop]
            if codes.shape[0] > 0:
                for i in range(stop - start):
                    tile_out[i] = sort_key(tile_bits[i], low_bits, tile_codes[i])
            else:
                for i in range(stop - start):  # slice assignment takes seconds to compile
                    tile_out[i] = tile_bits[i]


def linear_scores(features: Floats, weights: Floats, bits: int) -> Floats:
    """Return ``weights`` (P, p) times ``features`` (p, n), rounded, (P, n)."""
    return score_keys(features, weights, NO_CODES, bits).view(np.float64)


def score_keys(features: Floats, weights: Floats, codes: Integers, bits: int) -> Integers:
    """Return the scores of all particles as sort keys (P, n), the class code in the low bits.

    ``codes`` (n,) holds ``r - 1 - class``: among equal scores the higher class sorts
    first, so a count of "lower classes seen so far" is a count of strictly smaller
    scores.
    """
    keys = np.empty((len(weights), features.shape[1]), dtype=np.int64)
    tile = np.empty(TILE)
    score_rows(features, weights, codes, bits, tile, tile.view(np.int64), keys)
    return keys


def keys_to_scores(keys: Integers, bits: int) -> Floats:
    """Invert `score_keys`: the rounded scores (P, n), class codes dropped."""
    low_bits = (1 << bits) - 1
    # Positive patterns stay as they are; flipping a negative one clears its low bits, which
    # are all set.
    flipped = (keys | low_bits) ^ SIGN_FLIP
    return np.where(keys >= 0, keys & ~low_bits, flipped).view(np.float64)


NEGATIVE_ZERO = np.int64(-0x8000000000000000)


@kernel
def pack_keys(score_bits, codes, n_classes, bits, keys):
    """Fill ``keys`` (n,) from the bit patterns of scores (n,) and class codes (n,).

    Returns whether any score had one of its lowest bits set, that is, whether precision
    was lost.
    """
    low_bits = (1 << bits) - 1
    top = n_classes - 1
    lost = np.int64(0)
    for i in range(score_bits.shape[0]):
        raw = score_bits[i]
        raw = np.int64(0) if raw == NEGATIVE_ZERO else raw
        lost |= raw & low_bits
        keys[i] = sort_key(raw, low_bits, top - codes[i])
    return lost != 0


@inlined
def has_mixed_prefix(keys, bits):
    """Return whether sorted ``keys`` (n,) of different classes agree in all but the class."""
    low_bits = (1 << bits) - 1
    mixed = np.int64(0)
    for i in range(1, keys.shape[0]):
        # Neighbours that differ in the class only are one score, tied by the rounding.
        tied = (keys[i] | low_bits) == (keys[i - 1] | low_bits)
        mixed += np.int64(tied & (keys[i] != keys[i - 1]))
    return mixed > 0


@kernel
def sum_leaves(
    X,
    roots,
    features,
    splits,
    true_nodes,
    false_nodes,
    sets,
    members,
    targets,
    values,
    out,
):
    """Add to ``out`` (n, k) the values of the leaves that the rows of ``X`` (n, p) reach.

    Node i sends a row to ``true_nodes[i]`` if its feature is at most ``splits[i]`` or, where
    ``sets[i]`` is not negative, if its feature is a category that this row of
    ``members`` marks; else to ``false_nodes[i]``. A negative child c is the leaf ``-1 - c``,
    whose value is added to column ``targets``.
    """
    n_categories = members.shape[1]
    for root in roots:  # trees outside: one tree and some rows fit the cache
        for i in range(X.shape[0]):
            node = root
            while node >= 0:
                x = X[i, features[node]]
                chosen = sets[node]
                if chosen < 0:
                    is_true = x <= splits[node]
                else:
                    # NaN fails both comparisons, and so is no member of any set.
                    known = 0.0 <= x < n_categories and x == int(x)
                    is_true = known and members[chosen, int(x)] != 0
                node = true_nodes[node] if is_true else false_nodes[node]
            out[i, targets[-1 - node]] += values[-1 - node]
