from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from moselect.models.gaussian_process.likelihood import OrdinalLikelihood

THRESHOLDS = np.array([-0.8, 0.1, 0.15])
CODES = np.array([0, 1, 2, 3, 3, 2, 0])
LATENT = np.array([-1.0, 0.3, 0.12, 2.0, -1.5, 0.9, 1.1])


def difference(function, at, step=1e-5):
    return (np.asarray(function(at + step)) - np.asarray(function(at - step))) / (2.0 * step)


@pytest.mark.parametrize("noise", [0.2, 1.0, 5.0])
def test_value_is_a_difference_of_distribution_functions(noise):
    ends = np.array([-np.inf, *THRESHOLDS, np.inf])
    z = (ends - LATENT[:, None]) / noise
    below, above = np.diff(norm.cdf(z), axis=1), -np.diff(norm.sf(z), axis=1)
    probability = np.where(z[:, :-1] + z[:, 1:] > 0.0, above, below)  # the other one cancels
    probability = probability[np.arange(len(CODES)), CODES]
    found = OrdinalLikelihood(CODES, THRESHOLDS, noise).terms(LATENT).value
    np.testing.assert_allclose(found, np.log(probability), rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("noise", [0.2, 1.0, 5.0])
def test_derivatives_by_the_latent_value(noise):
    likelihood = OrdinalLikelihood(CODES, THRESHOLDS, noise)
    terms = likelihood.terms(LATENT)
    value, slope, curvature = (
        difference(lambda f, name=name: getattr(likelihood.terms(f), name), LATENT)
        for name in ("value", "slope", "curvature")
    )
    np.testing.assert_allclose(terms.slope, value, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(terms.curvature, -slope, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(likelihood.third(terms), -curvature, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("noise", [0.2, 1.0, 5.0])
def test_gradient_by_noise_and_thresholds(noise):
    rng = np.random.default_rng(0)
    by_slope, by_curvature = rng.normal(size=(2, len(CODES)))

    def total(parameters):
        terms = OrdinalLikelihood(CODES, parameters[1:], np.exp(parameters[0])).terms(LATENT)
        return terms.value.sum() + by_slope @ terms.slope + by_curvature @ terms.curvature

    parameters = np.array([np.log(noise), *THRESHOLDS])
    likelihood = OrdinalLikelihood(CODES, THRESHOLDS, noise)
    by_log_noise, by_thresholds = likelihood.gradient(
        likelihood.terms(LATENT), by_slope, by_curvature
    )
    expected = [difference(lambda t, e=e: total(parameters + t * e), 0.0) for e in np.eye(4)]
    np.testing.assert_allclose([by_log_noise, *by_thresholds], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("noise", [1e-3, 1e3])
def test_everything_is_finite_far_from_the_thresholds(noise):
    far = np.array([-1e6, -1e3, -10.0, 0.0, 10.0, 1e3, 1e6])
    for code in range(4):
        likelihood = OrdinalLikelihood(np.full(len(far), code), THRESHOLDS, noise)
        terms = likelihood.terms(far)
        third = likelihood.third(terms)
        by_noise, by_thresholds = likelihood.gradient(terms, np.ones(len(far)), np.ones(len(far)))
        for values in (terms.value, terms.slope, terms.curvature, third, by_noise, by_thresholds):
            assert np.isfinite(values).all()
        assert (terms.value <= 1e-12).all()
        assert (terms.curvature > 0.0).all()
        assert (terms.curvature <= 1.0 / noise**2).all()
