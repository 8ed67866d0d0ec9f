"""Class probabilities along a score, and its thresholds against the least expected cost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.testing import assert_allclose
from sklearn.isotonic import isotonic_regression

from moselect.costs import cost_matrix
from moselect.predictor.score_calibration import (
    ScoreCalibration,
    cheapest_thresholds,
    class_shares,
    descending,
)

probabilities = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 5), st.integers(1, 6)),
    elements=st.floats(0, 1, width=32),
)


@given(above=probabilities)
def test_descending_is_the_isotonic_projection(above):
    found = descending(above)
    assert (np.diff(found, axis=1) <= 1e-12).all()
    assert_allclose(found.sum(axis=1), above.sum(axis=1), atol=1e-9)
    for row, projected in zip(above, found, strict=True):
        expected = isotonic_regression(row, increasing=False)
        assert_allclose(projected, expected, atol=1e-9)
    shares = class_shares(found)
    assert (shares >= -1e-12).all()
    assert_allclose(shares.sum(axis=1), 1.0)


@pytest.mark.parametrize("seed", range(10))
def test_thresholds_attain_the_least_expected_cost(seed):
    """One score lies far outside the range of the others."""
    rng = np.random.default_rng(seed)
    r = int(rng.integers(2, 7))
    intercepts = np.sort(2.0 * rng.normal(size=r - 1))
    calibration = ScoreCalibration(
        slope=rng.exponential() + 0.01, intercepts=intercepts.tolist()
    )
    costs = cost_matrix(rng.uniform(0.5, 2.0, size=r))
    scores = np.append(3.0 * rng.normal(size=2_000) / calibration.slope, 1e5)
    thresholds = cheapest_thresholds(scores, calibration, costs)
    expected = calibration.probabilities(scores) @ costs
    predicted = (scores[:, None] > thresholds).sum(axis=1)
    costs_incurred = expected[np.arange(len(scores)), predicted]
    assert_allclose(costs_incurred, expected.min(axis=1), atol=1e-9)


def test_an_uninformative_score_predicts_one_class():
    calibration = ScoreCalibration(slope=0.0, intercepts=[-1.0, 2.0])
    scores = np.array([-3.0, 0.0, 7.0])
    thresholds = cheapest_thresholds(scores, calibration, cost_matrix([1.0, 1.0, 1.0]))
    assert ((scores[:, None] > thresholds).sum(axis=1) == 1).all()
