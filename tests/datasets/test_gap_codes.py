"""Codes for gaps far outside the other numbers."""

import numpy as np
import pytest

from moselect.datasets.feature_cells import gap_codes


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ([1, 2, 3, 4, 5, 9], [9]),
        ([1, 2, 3, 4, 5, 6, 7, 9, 9], [9]),  # more common than 7
        ([1, 2, 3, 4, 5, 6, 7, 7, 9], []),  # a count may be
        ([1, 2, 3, 4, 8, 9], [8, 9]),
        ([0, 1, 9], [9]),
        ([0, 9], []),  # any two levels
        ([0, 1, 2, 7], []),
        (range(100), []),
        (range(1, 10), []),
        ([*range(28), 999, np.nan], [999]),
        ([18, 40, 80, 99], []),  # may be an age
        ([18, 40, 80, 9999], [9999]),
        ([1, 2, 3, 97, 98, 99], [97, 98, 99]),
        ([*range(30), -1], [-1]),
        ([-1, 0, 1], []),
        ([-2, -1, 0, 1, 2], []),
        ([-9, 0, 1, 2, 3, 4, 5], [-9]),
        ([-99, -9, 0, 0.5, 2.5, 999], [-99, -9, 999]),
        (np.linspace(-30.0, 30.0, 61), []),
        ([], []),
        ([5, 5], []),
    ],
)
def test_codes_lie_outside_the_others(values, codes):
    assert gap_codes(np.array(list(values), dtype=float)) == codes
