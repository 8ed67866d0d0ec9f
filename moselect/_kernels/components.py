"""What each sample adds to a ranking measure: its structural component."""

from __future__ import annotations

import numpy as np

from moselect._kernels.compilation import kernel


@kernel
def pair_components(keys, order, bits, class_counts, factors, credit, components):
    """Fill ``components`` (n,) with sums over the other classes of factor times right pairs.

    Sorted keys as in `scores`; ``order`` (n,) holds the index of the sample of each key. ``credit``
    is what a pair of equal scores counts, 0 or 1/2.
    ``factors`` (r, r) has the sample's class in the row, the other one's in the column, and zeros
    on the diagonal.
    """
    r = class_counts.shape[0]
    low_bits = (np.int64(1) << np.int64(bits)) - np.int64(1)
    top = r - 1
    n = keys.shape[0]
    below = np.zeros(r)  # samples of each class with strictly lower scores
    tied = np.zeros(r)
    start = 0
    while start < n:
        prefix = keys[start] | low_bits
        stop = start
        while stop < n and (keys[stop] | low_bits) == prefix:
            tied[top - (keys[stop] & low_bits)] += 1.0
            stop += 1
        i = start
        while i < stop:
            key = keys[i]
            label = top - (key & low_bits)
            total = 0.0
            for k in range(label):
                total += factors[label, k] * (below[k] + credit * tied[k])
            for k in range(label + 1, r):
                higher = class_counts[k] - below[k] - tied[k]
                total += factors[label, k] * (higher + credit * tied[k])
            while i < stop and keys[i] == key:
                components[order[i]] = total
                i += 1
        for i in range(start, stop):
            label = top - (keys[i] & low_bits)
            below[label] += tied[label]
            tied[label] = 0.0
        start = stop


@kernel
def joint_right_pairs(lower, upper, credit):
    """Sum the product of the credits of two rankings over all pairs.

    ``lower`` (2, n_k) and ``upper`` (2, n_l) hold the scores of a lower and a higher class.
    """
    total = 0.0
    for i in range(lower.shape[1]):
        first, second = lower[0, i], lower[1, i]
        for j in range(upper.shape[1]):
            a = 1.0 if first < upper[0, j] else credit if first == upper[0, j] else 0.0
            b = 1.0 if second < upper[1, j] else credit if second == upper[1, j] else 0.0
            total += a * b
    return total


@kernel
def ranking_components(order, codes, weights, pair_gains, vus_gain, components):
    """Fill ``components`` (n,) and return VUS and the total gain of right pairs.

    ``order`` (n,) sorts the scores, and among equal ones the classes, highest first: then only
    strictly higher scores are right. ``pair_gains[l, k]``, k < l, is the gain of a right pair,
    ``vus_gain`` that of VUS = 1. The component of a sample is the gain of the pairs and
    chains through it, for weight 1. VUS is 0 if a class has no samples.
    """
    n = order.shape[0]
    r = pair_gains.shape[0]
    inverse = np.zeros(r)
    for i in range(n):
        inverse[codes[i]] += weights[i]
    complete = True
    for k in range(r):
        complete = complete and inverse[k] > 0.0
        inverse[k] = 1.0 / inverse[k] if inverse[k] > 0.0 else 0.0
    chains = np.zeros(r + 1)
    chains[0] = 1.0
    met = np.zeros(r)
    lower = np.empty(n)
    pairs = 0.0
    for i in range(n):
        sample = order[i]
        own, w = codes[sample], weights[sample]
        right = 0.0
        for k in range(own):
            right += pair_gains[own, k] * met[k]
        pairs += w * right
        components[sample] = right
        met[own] += w
        lower[sample] = chains[own]
        chains[own + 1] += w * inverse[own] * chains[own]
    vus = chains[r] if complete else 0.0
    gain = vus_gain if complete else 0.0
    chains[:] = 0.0
    chains[r] = 1.0
    met[:] = 0.0
    for i in range(n - 1, -1, -1):
        sample = order[i]
        own, w = codes[sample], weights[sample]
        right = 0.0
        for k in range(own + 1, r):
            right += pair_gains[k, own] * met[k]
        met[own] += w
        components[sample] += right + gain * inverse[own] * lower[sample] * chains[own + 1]
        chains[own] += w * inverse[own] * chains[own + 1]
    return vus, pairs
