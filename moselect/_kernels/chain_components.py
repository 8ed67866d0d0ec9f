"""How many ascending sequences pass through each sample: the structural components of VUS.

Sorted keys as in `ranked_keys`; ``order`` (n,) holds the index of the sample of each key. A
sequence weighs the product of ``inverse_counts`` (r,), one over the size of each class, over its
other samples, so that the components of every class have VUS as their mean and cannot overflow.
"""

from __future__ import annotations

import numpy as np

from moselect._kernels.compilation import kernel


@kernel
def strict_components(keys, order, bits, inverse_counts, components):
    """Fill ``components`` (n,) with the share of strictly ascending sequences through a sample."""
    r = inverse_counts.shape[0]
    low_bits = (np.int64(1) << np.int64(bits)) - np.int64(1)
    top = r - 1
    n = keys.shape[0]
    ahead = np.empty(n)
    chains = np.zeros(r + 1)
    chains[0] = 1.0
    for i in range(n):
        label = top - (keys[i] & low_bits)
        ahead[i] = chains[label]
        chains[label + 1] += chains[label] * inverse_counts[label]
    chains[:] = 0.0
    chains[r] = 1.0
    for i in range(n - 1, -1, -1):
        label = top - (keys[i] & low_bits)
        components[order[i]] = ahead[i] * chains[label + 1]
        chains[label] += chains[label + 1] * inverse_counts[label]


@kernel
def average_components(keys, order, bits, inverse_counts, components):
    """Like `strict_components`, but a tied run of m classes within a sequence counts 1/m!."""
    r = inverse_counts.shape[0]
    low_bits = (np.int64(1) << np.int64(bits)) - np.int64(1)
    top = r - 1
    n = keys.shape[0]
    n_ties = np.int64(1)
    for i in range(1, n):
        n_ties += np.int64((keys[i] | low_bits) != (keys[i - 1] | low_bits))
    ahead = np.zeros((n_ties + 1, r + 1))  # sequences that end before each tie
    ahead[0, 0] = 1.0
    tie_weights = np.zeros(r)
    tie = 0
    start = 0
    while start < n:
        stop = _weigh_tie(keys, start, low_bits, inverse_counts, tie_weights)
        ahead[tie + 1] = ahead[tie]
        for upper in range(r):
            share = 1.0
            for length in range(1, upper + 2):
                share *= tie_weights[upper - length + 1] / length
                if share == 0.0:
                    break
                ahead[tie + 1, upper + 1] += share * ahead[tie, upper - length + 1]
        tie += 1
        start = stop

    after = np.zeros(r + 1)  # sequences that start after the present tie, by their first class
    after[r] = 1.0
    through = np.zeros(r)
    stop = n
    while stop > 0:
        start = stop - 1
        prefix = keys[start] | low_bits
        while start > 0 and (keys[start - 1] | low_bits) == prefix:
            start -= 1
        _weigh_tie(keys, start, low_bits, inverse_counts, tie_weights)
        tie -= 1
        for label in range(r):
            through[label] = 0.0
            below = 1.0  # product of the weights of classes lower .. label - 1
            for lower in range(label, -1, -1):
                if lower < label:
                    below *= tie_weights[lower]
                if below == 0.0:
                    break
                above = below
                factorial = 1.0
                for length in range(2, label - lower + 2):
                    factorial *= length
                for upper in range(label, r):
                    if upper > label:
                        above *= tie_weights[upper]
                        factorial *= upper - lower + 1
                    if above == 0.0:
                        break
                    through[label] += ahead[tie, lower] * above / factorial * after[upper + 1]
        for i in range(start, stop):
            components[order[i]] = through[top - (keys[i] & low_bits)]
        for lower in range(r):  # upwards: after[> lower] are still those after this tie
            share = 1.0
            added = 0.0
            for length in range(1, r - lower + 1):
                share *= tie_weights[lower + length - 1] / length
                if share == 0.0:
                    break
                added += share * after[lower + length]
            after[lower] += added
        stop = start


@kernel
def _weigh_tie(keys, start, low_bits, inverse_counts, tie_weights):
    """Fill ``tie_weights`` (r,), the class shares of the tie from ``start`` on; return its end."""
    top = tie_weights.shape[0] - 1
    tie_weights[:] = 0.0
    prefix = keys[start] | low_bits
    stop = start
    while stop < keys.shape[0] and (keys[stop] | low_bits) == prefix:
        label = top - (keys[stop] & low_bits)
        tie_weights[label] += inverse_counts[label]
        stop += 1
    return stop
