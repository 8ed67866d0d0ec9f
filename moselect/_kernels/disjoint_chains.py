"""Pairs of ascending sequences, one in each of two rankings, that have no sample in common.

By inclusion and exclusion these are the pairs that share the samples of any set of classes,
counted with the sign (-1)^(number of shared samples). The sum over sets folds into a recursion
over classes: with w1(a, b) and w2(a, b) the numbers of ascending sequences from a to b through the
classes between, under either ranking,

    G[b] = - sum over all a of lower classes, and a start, of G[a] w1(a, b) w2(a, b),

and G of an end (without its sign) is the count wanted. O(r + n) storage, O(n^2) time.
"""

from __future__ import annotations

import numpy as np

from moselect._kernels.compilation import kernel


@kernel
def disjoint_chains(labels, second, position, by_class, inverse_counts):
    """Count disjoint pairs of strictly ascending sequences, as a share of all pairs.

    Samples are numbered by their position in the first ranking: ``labels`` (n,) are their classes,
    ``second`` (n,) lists them in the order of the second ranking, ``position`` (n,) is the inverse
    of that, and ``by_class`` (n,) lists them class by class. In both rankings the higher class
    comes first in a tie. Every sample weighs one over the size of its class, ``inverse_counts``
    (r,).
    """
    n = labels.shape[0]
    r = inverse_counts.shape[0]
    shared = np.zeros(n)  # G
    ways = np.zeros(n)  # w1 from the present sample
    chains = np.zeros((2, r + 1))  # sequences so far, by the number of classes up to their last
    total = 0.0
    for step in range(-1, n):
        if step < 0:  # the start: before all samples and classes
            here, there, source, sign_and_count = -1, -1, 0, 1.0
        else:
            here = by_class[step]
            there = position[here]
            source = labels[here] + 1
            sign_and_count = shared[here]
        if sign_and_count == 0.0:
            continue
        chains[:] = 0.0
        chains[:, source] = 1.0
        first, other = chains[0], chains[1]
        for b in range(here + 1, n):
            label = labels[b]
            ways[b] = first[label]
            first[label + 1] += first[label] * inverse_counts[label]
        for i in range(there + 1, n):
            b = second[i]
            label = labels[b]
            count = other[label]
            other[label + 1] += count * inverse_counts[label]
            if b > here:
                scale = inverse_counts[label] * inverse_counts[label]
                shared[b] -= sign_and_count * ways[b] * count * scale
        total += sign_and_count * first[r] * other[r]
    return total
