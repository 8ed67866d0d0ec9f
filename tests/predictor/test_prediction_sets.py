"""Prediction sets of greatest weight, and weights between calibrated coverages."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from moselect.predictor.predictions import SetWeights, heaviest_ranges, heaviest_sums


@pytest.mark.checks("Prediction sets", "all contiguous sets")
def test_the_heaviest_range_matches_enumeration(rng):
    values = 2.5 * rng.random((500, 6))
    sums = {
        (first, last - 1): (values[:, first:last] - 1.0).sum(axis=1)
        for first, last in combinations(range(7), 2)
    }
    table = np.array([*sums.values()])
    assert_array_equal(heaviest_ranges(values), np.array([*sums])[table.argmax(axis=0)])
    assert_allclose(heaviest_sums(values), table.max(axis=0))


def test_weights_between_two_coverages_are_between_theirs(rng):
    calibrated = SetWeights([0.8, 0.9], [2.0, 8.0], [[2.0, 2.0, 2.0], [8.0, 1.0, 8.0]])
    proba = rng.dirichlet(np.ones(3), 2_000)
    sizes = [
        np.ptp(calibrated.ranges(proba, coverage), axis=1).mean()
        for coverage in (0.8, 0.86, 0.9)
    ]
    assert sizes[0] < sizes[1] < sizes[2]
    assert_array_equal(
        calibrated.ranges(proba, 0.9, "class"), heaviest_ranges(proba * [8.0, 1.0, 8.0])
    )
    for coverage in (0.95, "0.9", True, None):
        with pytest.raises(ValueError, match=r"give a probability from 0\.8 to 0\.9"):
            calibrated.ranges(proba, coverage)
