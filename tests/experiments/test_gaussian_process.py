"""The Gaussian process of Sommer (2015), section 1.1, beside its definition."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import norm

from experiments.sommer2015.gaussian_process.evidence import (
    Evidence,
    Hyperparameters,
    covariance,
)
from experiments.sommer2015.gaussian_process.laplace import LaplaceApproximation
from experiments.sommer2015.gaussian_process.likelihood import (
    OrdinalLikelihood,
)

THRESHOLDS = np.array([-0.4, 0.5])


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
