"""Pairs of objects of two classes that a ranking puts in the right order, and tied ones.

Sorted keys as in `ranked_keys`; ``weights`` (n,), in their order, may be None. A pair weighs the
product of its objects' weights. Results are (r, r) with the higher class in the row; only the
part below the diagonal has a meaning.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def right_pairs(keys, weights, bits, n_classes, right):
    """Fill ``right[l, k]``, k < l, with the pairs whose class-l object scores strictly higher."""
    low_bits = (np.int64(1) << np.int64(bits)) - np.int64(1)
    top = n_classes - 1
    below = np.zeros(n_classes)
    right[:] = 0.0
    for i in range(keys.shape[0]):
        label = top - (keys[i] & low_bits)
        weight = 1.0 if weights is None else weights[i]
        row = right[label]
        for k in range(n_classes):  # all: a fixed length costs less than stopping at ``label``
            row[k] += weight * below[k]
        below[label] += weight


@njit(cache=True, nogil=True)
def tied_pairs(keys, weights, bits, n_classes, tied):
    """Fill ``tied[l, k]``, k < l, with the pairs of equal score."""
    low_bits = (np.int64(1) << np.int64(bits)) - np.int64(1)
    top = n_classes - 1
    n = keys.shape[0]
    mass = np.zeros(n_classes)
    tied[:] = 0.0
    start = 0
    while start < n:
        prefix = keys[start] | low_bits
        stop = start + 1
        while stop < n and (keys[stop] | low_bits) == prefix:
            stop += 1
        if keys[start] != keys[stop - 1]:
            mass[:] = 0.0
            for i in range(start, stop):
                mass[top - (keys[i] & low_bits)] += 1.0 if weights is None else weights[i]
            for label in range(1, n_classes):
                for k in range(label):
                    tied[label, k] += mass[label] * mass[k]
        start = stop
