"""Thresholds along a calibrated score, beside the least expected cost that they stand for."""

from __future__ import annotations

import numpy as np
import pytest

from moselect.metrics import cost_matrix
from moselect.predictor.card import ScoreCalibration
from moselect.predictor.thresholds import cheapest_thresholds


@pytest.mark.parametrize("seed", range(10))
def test_thresholds_decide_as_the_least_expected_cost_does(seed):
    """Wherever scores lie: one is far outside."""
    rng = np.random.default_rng(seed)
    r = int(rng.integers(2, 7))
    cuts = np.sort(2.0 * rng.normal(size=r - 1))
    calibration = ScoreCalibration(
        slope=rng.exponential() + 0.01, intercepts=cuts.tolist()
    )
    costs = cost_matrix(rng.uniform(0.5, 2.0, size=r))
    scores = np.append(3.0 * rng.normal(size=2_000) / calibration.slope, 1e5)
    thresholds = cheapest_thresholds(scores, calibration, costs)
    expected = calibration.probabilities(scores) @ costs
    predicted = (scores[:, None] > thresholds).sum(axis=1)
    paid = expected[np.arange(len(scores)), predicted]
    np.testing.assert_allclose(paid, expected.min(axis=1), atol=1e-9)


def test_a_score_that_tells_nothing_decides_for_one_class():
    calibration = ScoreCalibration(slope=0.0, intercepts=[-1.0, 2.0])
    scores = np.array([-3.0, 0.0, 7.0])
    thresholds = cheapest_thresholds(scores, calibration, cost_matrix([1.0, 1.0, 1.0]))
    assert ((scores[:, None] > thresholds).sum(axis=1) == 1).all()
