"""Concordant and discordant pairs of two numeric variables in O(n log n)."""

from __future__ import annotations

import numpy as np

from moselect._kernels.compilation import kernel


@kernel
def concordance(levels, ends, weights, n_levels):
    """Return the weights of concordant and discordant pairs, and of pairs of different scores.

    ``levels`` (n,) holds the target's ranks ``0 .. n_levels - 1`` in ascending order of score,
    ``ends`` (n,) whether the next score is a different one, ``weights`` (n,) may be None. A
    Fenwick tree over the levels holds the weight of all samples with lower scores.
    """
    n = levels.shape[0]
    tree = np.zeros(n_levels + 1)
    concordant, discordant, different = 0.0, 0.0, 0.0
    lower = 0.0  # weight of the samples with strictly lower scores
    start = 0
    for stop in range(1, n + 1):
        if not ends[stop - 1]:
            continue
        tied = 0.0
        for i in range(start, stop):
            weight = 1.0 if weights is None else weights[i]
            tied += weight
            less = 0.0
            node = levels[i]
            while node > 0:
                less += tree[node]
                node -= node & -node
            up_to = less
            node = levels[i] + 1
            same = tree[node]
            stay = node - (node & -node)
            node -= 1
            while node > stay:
                same -= tree[node]
                node -= node & -node
            up_to += same
            concordant += weight * less
            discordant += weight * (lower - up_to)
        different += tied * lower
        for i in range(start, stop):
            weight = 1.0 if weights is None else weights[i]
            node = levels[i] + 1
            while node <= n_levels:
                tree[node] += weight
                node += node & -node
        lower += tied
        start = stop
    return concordant, discordant, different
