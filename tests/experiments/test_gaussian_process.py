"""The Gaussian process of Sommer (2015), section 1.1, beside its definition."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.stats import multivariate_normal, norm, spearmanr
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF
from sklearn.preprocessing import StandardScaler

from experiments.sommer2015.gaussian_process.estimator import OrdinalGaussianProcess
from experiments.sommer2015.gaussian_process.evidence import (
    Evidence,
    Hyperparameters,
    covariance,
)
from experiments.sommer2015.gaussian_process.laplace import LaplaceApproximation
from experiments.sommer2015.gaussian_process.likelihood import (
    OrdinalLikelihood,
    truncate_normal,
)

THRESHOLDS = np.array([-0.4, 0.5])
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


def draw_problem(n, noise, seed=0, length_scale=1.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    squares = ((X[:, None] - X) ** 2).sum(axis=-1)
    codes = rng.integers(0, 3, n)
    return (
        covariance(squares, length_scale),
        codes,
        OrdinalLikelihood(codes, THRESHOLDS, noise),
    )


def log_joint(f, K, codes, noise):
    """Log of P(y | f) P(f), up to the prior's constant, as it is defined."""
    ends = np.array([-np.inf, *THRESHOLDS, np.inf])
    probability = norm.cdf((ends[codes + 1] - f) / noise) - norm.cdf(
        (ends[codes] - f) / noise
    )
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
    # the prior of unit covariance adds 1
    curvature = -np.diff(joint, n=2).ravel() / 1e-8 - 1.0
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


def test_gradient():
    """The mode moves with the hyperparameters, and the gradient knows."""
    model = Hyperparameters(1.5, 0.3, np.array([-0.5, 0.2, 0.9]))
    rng = np.random.default_rng(1)
    X, codes = rng.normal(size=(40, 2)), rng.permutation(np.arange(40) % 4)
    squares = ((X[:, None] - X) ** 2).sum(axis=-1)
    packed = model.pack() + 0.3 * rng.normal(size=len(model.thresholds) + 2)

    def loss(at):
        return Evidence(squares, codes).loss(at)[0]

    gradient = Evidence(squares, codes).loss(packed)[1]
    steps = 1e-3 * np.eye(len(packed))
    expected = [  # of fourth order
        (
            8.0 * (loss(packed + s) - loss(packed - s))
            - loss(packed + 2 * s)
            + loss(packed - 2 * s)
        )
        / 12e-3
        for s in steps
    ]
    np.testing.assert_allclose(gradient, expected, rtol=1e-4, atol=1e-4)


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


def test_two_classes_are_close_to_a_logistic_process():
    rng = np.random.default_rng(0)
    X = StandardScaler().fit_transform(rng.normal(size=(320, 3)))
    y = (np.sin(1.5 * X[:, 0]) + 0.6 * X[:, 1] + 0.5 * rng.normal(size=320) > 0.0).astype(
        int
    )
    ours = OrdinalGaussianProcess().fit(X[:120], y[:120])
    theirs = GaussianProcessClassifier(4.0 * RBF(1.0)).fit(X[:120], y[:120])
    chances = theirs.predict_proba(X[120:])[:, 1]
    assert spearmanr(ours.decision_function(X[120:]), chances).statistic > 0.98
    np.testing.assert_allclose(ours.predict_proba(X[120:])[:, 1], chances, atol=0.1)
