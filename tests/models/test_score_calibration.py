"""Class probabilities along a score, by proportional odds."""

import numpy as np
import pytest

from moselect.models.calibration import calibrate_score


def test_class_probabilities_of_a_score_are_those_it_was_drawn_from():
    rng = np.random.default_rng(3)
    score = rng.normal(40.0, 5.0, 20_000)
    noisy = 0.7 * score + rng.logistic(size=20_000)
    found = calibrate_score(score, np.digitize(noisy, [26.0, 30.0]), 3)
    assert found.slope == pytest.approx(0.7, rel=0.05)
    assert found.intercepts == pytest.approx([26.0, 30.0], rel=0.05)
