import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime
from scipy.special import expit

from moselect._kernels.cumulative_logit import (
    add_smoothed_costs,
    negative_log_likelihood,
    smooth_residuals,
)


def draw(seed):
    """Draw scores, intercepts, class codes, sample weights and cost steps."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=30) * 2
    intercepts = np.sort(rng.normal(size=3)) * 2
    codes = rng.integers(4, size=30)
    return scores, intercepts, codes, rng.uniform(0, 3, 30), rng.normal(size=(4, 3))


def plain_likelihood(scores, intercepts, codes, weights):
    at_most = expit(intercepts - scores[:, None])
    at_most = np.column_stack([np.zeros(len(scores)), at_most, np.ones(len(scores))])
    own = np.diff(at_most, axis=1)[np.arange(len(scores)), codes]
    return -(weights * np.log(own)).sum()


def plain_costs(scores, intercepts, codes, weights, steps):
    return (weights[:, None] * steps[codes] * expit(scores[:, None] - intercepts)).sum()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("smoothed", [False, True])
def test_values_and_gradients(smoothed, seed):
    scores, intercepts, *known, steps = draw(seed)
    fast = negative_log_likelihood
    plain = plain_likelihood
    if smoothed:
        fast = add_smoothed_costs
        plain = plain_costs
        known.append(steps)
    d_scores = np.ones(30)
    d_intercepts = np.empty(3)
    value = fast(scores, intercepts, *known, d_scores, d_intercepts)
    assert value == pytest.approx(plain(scores, intercepts, *known), rel=1e-12)
    by_scores = approx_fprime(scores, plain, 1e-7, intercepts, *known)
    by_intercepts = approx_fprime(intercepts, lambda b: plain(scores, b, *known), 1e-7)
    # Gradients of smoothed costs are added to the scores' gradients in place.
    assert_allclose(d_scores, smoothed + by_scores, atol=1e-5)
    assert_allclose(d_intercepts, by_intercepts, atol=1e-4)


def test_a_sample_far_from_its_class_has_a_finite_likelihood():
    d_scores = np.empty(2)
    scores = np.array([5_000.0, -5_000.0])
    intercepts = np.array([-1.0, 1.0])
    value = negative_log_likelihood(
        scores, intercepts, np.array([0, 2]), np.ones(2), d_scores, np.empty(2)
    )
    assert value == pytest.approx(5_001.0 * 2)
    assert d_scores.tolist() == [1.0, -1.0]


def test_equal_intercepts_have_a_finite_gradient_that_separates_them():
    d_intercepts = np.empty(2)
    value = negative_log_likelihood(
        np.zeros(1), np.zeros(2), np.array([1]), np.ones(1), np.empty(1), d_intercepts
    )
    assert value > 20.0
    assert np.isfinite(d_intercepts).all()
    assert d_intercepts[0] > 0.0 > d_intercepts[1]  # descent separates the intercepts


@pytest.mark.parametrize("bandwidth", [0.05, 0.5, 20.0])
@pytest.mark.parametrize("seed", range(3))
def test_smoothing_is_a_gaussian_kernel_regression(seed, bandwidth):
    rng = np.random.default_rng(seed)
    scores = np.sort(rng.normal(size=40))
    masses = rng.integers(0, 4, size=(40, 3)).astype(float)
    proba = rng.dirichlet(np.ones(3), size=40)
    window = np.exp(-0.5 * ((scores[:, None] - scores) / bandwidth) ** 2)
    total = masses.sum(axis=1)
    residual = masses - total[:, None] * proba
    expected = (window @ residual) / (window @ total + 7.0)[:, None]
    corrections = np.full((40, 3), np.nan)
    smooth_residuals(scores, masses, proba, bandwidth, 7.0, corrections)
    assert_allclose(corrections, expected, atol=1e-7)
