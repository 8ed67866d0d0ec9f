"""Sequences of one sample of each class that a ranking puts in ascending order, with weights.

Sorted keys as in `scores`: class code in the low bits, the higher class first in a tie.
``weights`` (n,), in the order of the keys, may be None.
"""

from __future__ import annotations

import numpy as np

from moselect._kernels.compilation import kernel


@kernel
def strict_chains(keys, weights, bits, n_classes):
    """Return the total weight of the strictly ascending sequences (Waegeman et al. 2008, eq. 8).

    ``ahead[k]`` counts sequences of the classes ``0 .. k - 1`` in the first half of the ranking,
    ``after[k]`` those of ``k .. r - 1`` in the second: two sums that need not wait for each other.
    """
    low_bits = (np.int64(1) << np.int64(bits)) - np.int64(1)
    top = n_classes - 1
    n = keys.shape[0]
    ways = np.zeros((2, n_classes + 1))  # one allocation: rankings may be short
    ahead, after = ways[0], ways[1]
    ahead[0] = 1.0
    after[n_classes] = 1.0
    half = n // 2
    for i in range(half):
        j = n - 1 - i
        early = top - (keys[i] & low_bits)
        late = top - (keys[j] & low_bits)
        if weights is None:
            ahead[early + 1] += ahead[early]
            after[late] += after[late + 1]
        else:
            ahead[early + 1] += weights[i] * ahead[early]
            after[late] += weights[j] * after[late + 1]
    if n % 2:
        middle = top - (keys[half] & low_bits)
        weight = 1.0 if weights is None else weights[half]
        ahead[middle + 1] += weight * ahead[middle]
    total = 0.0
    for k in range(n_classes + 1):
        total += ahead[k] * after[k]
    return total


@kernel
def average_chains(keys, weights, bits, n_classes):
    """Like `strict_chains`, but a tied run of m classes within a sequence counts 1/m!."""
    low_bits = (np.int64(1) << np.int64(bits)) - np.int64(1)
    top = n_classes - 1
    n = keys.shape[0]
    chains = np.zeros(n_classes + 1)
    chains[0] = 1.0
    tie_weights = np.zeros(n_classes)
    start = 0
    while start < n:
        prefix = keys[start] | low_bits
        stop = start
        tie_weights[:] = 0.0
        while stop < n and (keys[stop] | low_bits) == prefix:
            tie_weights[top - (keys[stop] & low_bits)] += 1.0 if weights is None else weights[stop]
            stop += 1
        highest = top - (keys[start] & low_bits)
        lowest = top - (keys[stop - 1] & low_bits)
        for upper in range(highest, lowest - 1, -1):  # downwards: chains[<= upper] are earlier
            share = 1.0
            added = 0.0
            for length in range(1, upper - lowest + 2):
                share *= tie_weights[upper - length + 1] / length
                if share == 0.0:
                    break
                added += share * chains[upper - length + 1]
            chains[upper + 1] += added
        start = stop
    return chains[n_classes]
