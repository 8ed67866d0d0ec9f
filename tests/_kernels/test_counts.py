import itertools

import numpy as np
import pytest

from moselect._kernels import code_bits
from moselect._kernels.pair_counts import FIELDS, STRETCH, count_right_pairs

NUMBERS_OF_CLASSES = [
    2,
    3,
    FIELDS,
    FIELDS + 1,
    FIELDS + 2,
    2 * FIELDS + 1,
    2 * FIELDS + 2,
    40,
]


def sorted_keys(ranks, labels, r):
    """Sorted keys of samples with integer ranks and classes."""
    bits = code_bits(r)
    return np.sort(
        (np.asarray(ranks, dtype=np.int64) << bits) | (r - 1 - np.asarray(labels))
    )


def count_right(keys, r):
    """Correctly ordered pairs; nan in cells that the kernel does not define."""
    right = np.full((r, r), 7.0)
    count_right_pairs(keys, code_bits(r), right)
    return np.where(np.tri(r, k=-1, dtype=bool), right, np.nan)


def slow_right(ranks, labels, r):
    expected = np.full((r, r), np.nan)
    for low, high in itertools.combinations(range(r), 2):
        lower = ranks[labels == low]
        upper = ranks[labels == high]
        expected[high, low] = (lower[:, None] < upper).sum()
    return expected


@pytest.mark.parametrize("r", NUMBERS_OF_CLASSES)
@pytest.mark.parametrize("n", [STRETCH - 1, STRETCH, STRETCH + 1, 5 * STRETCH + 7])
def test_pairs_of_many_samples(n, r):
    rng = np.random.default_rng(n)
    labels = rng.integers(r, size=n)
    orders = [
        rng.permutation(n),  # all mixed
        rng.integers(n // 10, size=n),  # with ties
        labels * n + rng.permutation(n),  # perfect: stretches of one class
        -labels * n + rng.permutation(n),  # all wrong
        labels // 2 * n + rng.permutation(n),  # stretches of two classes
    ]
    for ranks in orders:
        found = count_right(sorted_keys(ranks, labels, r), r)
        np.testing.assert_array_equal(found, slow_right(ranks, labels, r))
