"""Cost-optimal thresholds of a calibrated score, against the least expected cost."""

import numpy as np
import pytest

from moselect.metrics import cost_matrix
from moselect.predictor.card import ScoreCalibration
from moselect.predictor.thresholds import cheapest_thresholds


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
    np.testing.assert_allclose(costs_incurred, expected.min(axis=1), atol=1e-9)


def test_an_uninformative_score_predicts_one_class():
    calibration = ScoreCalibration(slope=0.0, intercepts=[-1.0, 2.0])
    scores = np.array([-3.0, 0.0, 7.0])
    thresholds = cheapest_thresholds(scores, calibration, cost_matrix([1.0, 1.0, 1.0]))
    assert ((scores[:, None] > thresholds).sum(axis=1) == 1).all()
