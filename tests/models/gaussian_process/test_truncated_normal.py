from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import log_ndtr

from moselect.models.gaussian_process.likelihood import truncate_normal

INTERVALS = [
    (-np.inf, 0.0),
    (-np.inf, 6.0),
    (3.0, np.inf),
    (-0.5, 0.7),
    (-8.0, 12.0),
    (1.0, 1.001),
    (20.0, 20.5),
    (-41.0, -40.0),
    (-300.0, -200.0),
]


def by_quadrature(lower, upper):
    """Log mass and moments by adaptive quadrature of the density, relative to its mode."""
    mode = np.clip(0.0, lower, upper)
    reach = 50.0 / max(abs(mode), 4.0)  # the density decays as fast as exp(-|mode| t)
    ends = max(lower, mode - reach), min(upper, mode + reach)

    def moment(function):
        def integrand(u):
            return function(u) * np.exp((mode - u) * (mode + u) / 2.0)

        return quad(integrand, *ends, epsabs=1e-13, epsrel=1e-10)[0]

    mass = moment(lambda u: 1.0)
    mean = mode + moment(lambda u: u - mode) / mass
    variance = moment(lambda u: (u - mean) ** 2) / mass
    return np.log(mass) - mode**2 / 2.0 - np.log(2.0 * np.pi) / 2.0, mean, variance


@pytest.mark.parametrize("interval", INTERVALS)
def test_moments_are_integrals(interval):
    lower, upper = np.array([interval]).T
    found = truncate_normal(lower, upper, upper - lower)
    log_mass, mean, variance = by_quadrature(*interval)
    np.testing.assert_allclose(found.log_mass, log_mass, rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(found.mean, mean, rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(found.variance, variance, rtol=1e-8)


def test_half_lines_are_the_distribution_function():
    z = np.concatenate([-np.logspace(4, -3, 40), np.logspace(-3, 1, 20)])
    below = truncate_normal(np.full(len(z), -np.inf), z, np.full(len(z), np.inf))
    np.testing.assert_allclose(below.log_mass, log_ndtr(z), rtol=1e-12, atol=1e-14)
    # The inverse Mills ratio is the density at the end, and minus the mean.
    mills = np.exp(-(z**2) / 2.0 - np.log(2.0 * np.pi) / 2.0 - log_ndtr(z))
    near = z > -30.0  # farther out the exponential of a difference loses digits
    np.testing.assert_allclose(below.at_upper[near], mills[near], rtol=1e-11, atol=1e-15)
    np.testing.assert_allclose(-below.mean[near], mills[near], rtol=1e-11, atol=1e-15)
    assert (below.at_lower <= 1e-16 * below.at_upper.clip(1.0)).all()


@given(
    st.floats(-1e5, 1e5),
    st.floats(1e-6, 1e5),
    st.booleans(),
)
def test_mirrored_intervals(lower, width, endless):
    wide = np.array([np.inf if endless else width])
    ends = np.array([lower]), lower + wide
    found = truncate_normal(*ends, wide)
    mirrored = truncate_normal(-ends[1], -ends[0], wide)
    np.testing.assert_allclose(found.log_mass, mirrored.log_mass, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(found.mean, -mirrored.mean, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(found.variance, mirrored.variance, rtol=1e-9)
    np.testing.assert_allclose(found.at_upper, mirrored.at_lower, rtol=1e-12)
    assert 0.0 < found.variance[0] < 1.0 + 1e-12
    assert ends[0] <= found.mean <= ends[1]
