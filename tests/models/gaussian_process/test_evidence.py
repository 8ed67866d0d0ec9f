from __future__ import annotations

import numpy as np
import pytest

from moselect.models.gaussian_process.evidence import Evidence, Hyperparameters, covariance


def draw_samples(n, values, seed=0, p=2):
    """Draw objects and their classes from the model itself."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    squares = ((X[:, None] - X) ** 2).sum(axis=-1)
    K = covariance(squares, values.length_scale) + 1e-10 * np.eye(n)
    latent = np.linalg.cholesky(K) @ rng.normal(size=n) + values.noise * rng.normal(size=n)
    return squares, np.searchsorted(values.thresholds, latent)


MODELS = [
    Hyperparameters(1.5, 0.3, np.array([-0.5, 0.2, 0.9])),
    Hyperparameters(0.7, 1.0, np.array([0.3])),
    Hyperparameters(4.0, 0.05, np.array([-1.0, -0.3, 0.0, 0.1, 1.0])),
]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("n", [3, 40])
def test_gradient(model, n):
    """The mode moves with the hyperparameters, and the gradient knows."""
    squares, codes = draw_samples(n, model)
    packed = model.pack() + 0.3 * np.random.default_rng(1).normal(size=len(model.thresholds) + 2)

    def loss(at):
        return Evidence(squares, codes).loss(at)[0]

    gradient = Evidence(squares, codes).loss(packed)[1]
    steps = 1e-3 * np.eye(len(packed))
    expected = [  # of fourth order
        (8.0 * (loss(packed + s) - loss(packed - s)) - loss(packed + 2 * s) + loss(packed - 2 * s))
        / 12e-3
        for s in steps
    ]
    np.testing.assert_allclose(gradient, expected, rtol=1e-4, atol=1e-4)


def test_hyperparameters_are_found_again():
    model = Hyperparameters(1.0, 0.25, np.array([-0.6, 0.0, 0.7]))
    squares, codes = draw_samples(350, model, seed=3)
    evidence = Evidence(squares, codes)
    found = evidence.maximise(Hyperparameters.marginal(1.5, 1.0, codes))
    assert found.converged
    np.testing.assert_allclose(found.values.length_scale, 1.0, rtol=0.2)
    np.testing.assert_allclose(found.values.noise, 0.25, rtol=0.3)
    np.testing.assert_allclose(np.diff(found.values.thresholds), [0.6, 0.7], rtol=0.3)
    assert found.log_evidence > evidence.approximate(model).log_evidence
    packed = found.values.pack()
    for step in np.random.default_rng(0).normal(scale=0.1, size=(10, len(packed))):
        assert -evidence.loss(packed + step)[0] < found.log_evidence
