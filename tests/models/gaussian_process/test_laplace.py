from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import multivariate_normal, norm

from moselect.models.gaussian_process.evidence import covariance
from moselect.models.gaussian_process.laplace import LaplaceApproximation
from moselect.models.gaussian_process.likelihood import OrdinalLikelihood

THRESHOLDS = np.array([-0.4, 0.5])


def draw_problem(n, noise, seed=0, length_scale=1.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    squares = ((X[:, None] - X) ** 2).sum(axis=-1)
    codes = rng.integers(0, 3, n)
    return covariance(squares, length_scale), codes, OrdinalLikelihood(codes, THRESHOLDS, noise)


def log_joint(f, K, codes, noise):
    """Log of P(y | f) P(f), up to the prior's constant, as it is defined."""
    ends = np.array([-np.inf, *THRESHOLDS, np.inf])
    probability = norm.cdf((ends[codes + 1] - f) / noise) - norm.cdf((ends[codes] - f) / noise)
    return np.log(probability).sum() - f @ np.linalg.solve(K, f) / 2.0


@pytest.mark.parametrize("noise", [0.3, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_the_mode_and_the_evidence_are_those_of_the_definition(noise, seed):
    K, codes, likelihood = draw_problem(6, noise, seed)
    found = LaplaceApproximation(K, likelihood)
    twin = minimize(lambda f: -log_joint(f, K, codes, noise), np.zeros(6), method="BFGS")
    np.testing.assert_allclose(found.f, twin.x, atol=1e-4)
    np.testing.assert_allclose(found.alpha, np.linalg.solve(K, found.f), atol=1e-6)
    joint = [
        [log_joint(found.f + t * e, np.eye(6), codes, noise) for t in (-1e-4, 0.0, 1e-4)]
        for e in np.eye(6)
    ]
    curvature = -np.diff(joint, n=2).ravel() / 1e-8 - 1.0  # the prior of unit covariance adds 1
    determinant = np.linalg.slogdet(np.eye(6) + K * curvature)[1]
    evidence = log_joint(found.f, K, codes, noise) - determinant / 2.0
    np.testing.assert_allclose(found.log_evidence, evidence, atol=1e-5)


def box_probability(K, codes, noise):
    """P(y): the noisy latent values are normal, and the labels say in which box they lie."""
    ends = np.array([-np.inf, *THRESHOLDS, np.inf])
    normal = multivariate_normal(
        cov=K + noise**2 * np.eye(len(K)), seed=0, abseps=1e-7, releps=1e-6, maxpts=10**5
    )
    return normal.cdf(ends[codes + 1], lower_limit=ends[codes])


@pytest.mark.parametrize(("noise", "tolerance"), [(0.3, 0.12), (1.0, 0.03), (4.0, 2e-4)])
@pytest.mark.parametrize("seed", range(3))
def test_the_evidence_is_near_the_exact_one(noise, tolerance, seed):
    """Laplace's approximation is the better the more the noise."""
    K, codes, likelihood = draw_problem(4, noise, seed)
    exact = np.log(box_probability(K, codes, noise))
    assert abs(LaplaceApproximation(K, likelihood).log_evidence - exact) < tolerance


@pytest.mark.parametrize(("noise", "tolerance"), [(0.6, 0.05), (2.0, 0.005)])
@pytest.mark.parametrize("seed", range(3))
def test_the_posterior_predicts_nearly_as_the_exact_one(noise, tolerance, seed):
    K, codes, _ = draw_problem(5, noise, seed)
    seen, k = K[:4, :4], K[:4, 4:]
    posterior = LaplaceApproximation(seen, OrdinalLikelihood(codes[:4], THRESHOLDS, noise))
    mean, spread = k.T @ posterior.alpha, np.sqrt(noise**2 + posterior.variance(k))
    found = np.diff(norm.cdf((np.array([-np.inf, *THRESHOLDS, np.inf]) - mean) / spread))
    both = [box_probability(K, np.append(codes[:4], last), noise) for last in range(3)]
    np.testing.assert_allclose(found, both / np.sum(both), atol=tolerance)


def test_the_variance_is_that_of_conditioned_normals():
    K = draw_problem(7, 0.5)[0]
    seen, k = K[:6, :6], K[:6, 6:]
    codes = np.array([0, 1, 2, 2, 1, 0])
    posterior = LaplaceApproximation(seen, OrdinalLikelihood(codes, THRESHOLDS, 0.5))
    inverse = np.linalg.inv(seen + np.diag(1.0 / posterior.terms.curvature))
    np.testing.assert_allclose(posterior.variance(k), 1.0 - k.T @ inverse @ k[:, 0])


@pytest.mark.parametrize("seed", range(15))
def test_newton_does_not_cycle_where_the_likelihood_is_nearly_a_box(seed):
    """Full steps alone cycle between the flat inside of a class and its steep walls."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 2))
    K = covariance(((X[:, None] - X) ** 2).sum(axis=-1), 2.0)
    likelihood = OrdinalLikelihood(rng.integers(0, 3, 30), np.array([-1.5, 1.5]), 1e-3)
    found = LaplaceApproximation(K, likelihood)
    np.testing.assert_allclose(found.alpha, found.terms.slope, atol=0.05)  # of up to thousands
    assert found.n_steps < 60
