import itertools

import numpy as np
import pytest

from moselect._kernels import code_bits
from moselect._kernels.pair_counts import count_right_pairs


def slow_right(ranks, labels, weights, r):
    expected = np.zeros((r, r))
    for low, high in itertools.combinations(range(r), 2):
        lower = labels == low
        upper = labels == high
        is_right = ranks[lower][:, None] < ranks[upper]
        expected[high, low] = weights[lower] @ is_right @ weights[upper]
    return expected


@pytest.mark.parametrize("r", [2, 3, 9, 40])
@pytest.mark.parametrize("weighted", [False, True])
def test_pairs_of_many_samples(r, weighted, rng):
    n = 200
    labels = rng.integers(r, size=n)
    weights = rng.integers(4, size=n) if weighted else np.ones(n)
    orders = [
        rng.permutation(n),  # all mixed
        rng.integers(n // 10, size=n),  # with ties
        labels * n + rng.permutation(n),  # perfect: stretches of one class
        -labels * n + rng.permutation(n),  # all wrong
        labels // 2 * n + rng.permutation(n),  # stretches of two classes
    ]
    bits = code_bits(r)
    for ranks in orders:
        keys = (np.asarray(ranks, dtype=np.int64) << bits) | (r - 1 - labels)
        order = np.argsort(keys)
        found = np.full((r, r), 7.0)
        in_order = weights[order].astype(float) if weighted else None
        count_right_pairs(keys[order], in_order, bits, found)
        expected = slow_right(ranks, labels, weights, r)
        np.testing.assert_array_equal(np.tril(found, -1), expected)
