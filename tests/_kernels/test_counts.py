import itertools

import numpy as np
import pytest

from moselect._kernels import code_bits
from moselect._kernels.pair_counts import count_right_pairs


@pytest.mark.parametrize("r", [2, 3, 6, 40])
@pytest.mark.parametrize("weighted", [False, True])
def test_pairs_of_many_samples(r, weighted):
    n = 300
    rng = np.random.default_rng(r)
    labels = rng.integers(r, size=n)
    weights = rng.integers(1, 4, n).astype(float) if weighted else np.ones(n)
    for ranks in (
        rng.permutation(n),  # all mixed
        rng.integers(n // 10, size=n),  # with ties
        labels * n + rng.permutation(n),  # perfect: stretches of one class
        labels // 2 * n + rng.permutation(n),  # stretches of two classes
    ):
        keys = (ranks << code_bits(r)) | (r - 1 - labels)
        order = np.argsort(keys, kind="stable")
        found = np.empty((r, r))
        own = weights[order] if weighted else None
        count_right_pairs(keys[order], own, code_bits(r), found)
        for low, high in itertools.combinations(range(r), 2):
            is_right = ranks[labels == low][:, None] < ranks[labels == high]
            expected = weights[labels == low] @ is_right @ weights[labels == high]
            assert found[high, low] == expected
