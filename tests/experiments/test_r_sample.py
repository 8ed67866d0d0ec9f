"""Samples that R draws."""

import pytest

from experiments.published.r_sample import RSampler


@pytest.mark.parametrize(
    ("seed", "printed"),
    [(42, [1, 5, 10, 8, 2, 4, 6, 9, 7, 3]), (123, [3, 10, 2, 8, 6, 9, 1, 7, 5, 4])],
)
def test_permutations_are_those_of_r(seed, printed):
    # set.seed(seed); sample(10), as R 3.6 and later print it
    assert RSampler(seed).sample(range(1, 11), 10) == printed
