import numpy as np
import pytest
from scipy.stats import norm

from moselect.models.calibration import calibrate, calibrate_score, smoothed_residuals
from tests.any_tables import ordinal_table


def test_non_monotone_class_probabilities_are_recovered(rng):
    """The lowest class lies at both ends of the score, which no monotone model can fit."""
    scores = rng.uniform(-2, 2, 20_000)
    codes = np.where(np.abs(scores) > 1.0, 0, 1)
    proba = calibrate(scores, codes, 2)(np.array([-1.8, -1.5, 0.0, 1.5, 1.8]))
    assert (proba.argmax(axis=1) == [0, 0, 1, 0, 0]).all()
    assert proba.max(axis=1).min() > 0.9


def test_integer_weights_equal_repeated_samples(rng):
    X, codes = ordinal_table(200, 1, 4)
    scores = X[:, 0]
    counts = rng.integers(1, 4, size=200)
    grid = np.linspace(-3, 3, 40)
    weighted = calibrate(scores, codes, 4, counts.astype(float))(grid)
    repeated = calibrate(np.repeat(scores, counts), np.repeat(codes, counts), 4)(grid)
    np.testing.assert_allclose(weighted, repeated, atol=1e-5)


def test_slope_and_intercepts_of_a_score_are_recovered(rng):
    score = rng.normal(40.0, 5.0, 20_000)
    noisy = 0.7 * score + rng.logistic(size=20_000)
    found = calibrate_score(score, np.digitize(noisy, [26.0, 30.0]), 3)
    assert found.slope == pytest.approx(0.7, rel=0.05)
    assert found.intercepts == pytest.approx([26.0, 30.0], rel=0.05)


@pytest.mark.parametrize("seed", range(3))
def test_smoothing_is_a_gaussian_kernel_regression(seed):
    rng = np.random.default_rng(seed)
    scores = np.sort(rng.normal(size=40)) * 5.0
    masses = rng.integers(0, 4, size=(40, 3)).astype(float)
    proba = rng.dirichlet(np.ones(3), size=40)
    corrections = smoothed_residuals(scores, masses, proba)
    for score, found in zip(scores, corrections, strict=True):
        window = norm.pdf(scores, score) / norm.pdf(0.0)
        total = window * masses.sum(axis=1)
        observed_less_predicted = window @ masses - total @ proba
        expected = observed_less_predicted / (total.sum() + 20.0)
        np.testing.assert_allclose(found, expected, atol=1e-7)
