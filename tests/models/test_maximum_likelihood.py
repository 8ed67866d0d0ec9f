import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.special import expit

from moselect.models import fit_proportional_odds


def penalised_loss(parameters, X, codes, penalty, sample_weight):
    """Negative log-likelihood of P(y <= k) = expit(b_k - w . x), by definition."""
    p = X.shape[1]
    weights = parameters[:p]
    intercepts = parameters[p:]
    at_most = expit(intercepts - (X @ weights)[:, None])
    at_most = np.column_stack([np.zeros(len(X)), at_most, np.ones(len(X))])
    probability = np.diff(at_most, axis=1)[np.arange(len(X)), codes]
    return -(sample_weight * np.log(probability)).sum() + penalty / 2 * (weights**2).sum()


def fitted(X, codes, penalty, sample_weight=None, **options):
    """Fit the model; return its parameters, and the gradient as a function of them."""
    r = codes.max() + 1
    weights, intercepts, *_ = fit_proportional_odds(
        X, codes, r, penalty, sample_weight, **options
    )
    ones = np.ones(len(X)) if sample_weight is None else sample_weight
    return np.concatenate([weights, intercepts]), lambda parameters: approx_fprime(
        parameters, penalised_loss, 1e-7, X, codes, penalty, ones
    )


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("penalty", [0.0, 1e-3, 1.0, 100.0])
@pytest.mark.parametrize("r", [2, 3, 6])
def test_the_gradient_vanishes_at_the_solution(draw_samples, r, penalty, weighted):
    X, codes = draw_samples(300, 4, r)
    sample_weight = np.random.default_rng(1).uniform(0.1, 3.0, 300) if weighted else None
    solution, gradient = fitted(X, codes, penalty, sample_weight)
    assert np.abs(gradient(solution)).max() < 1e-4 * 300
    # Elsewhere it does not vanish.
    assert np.abs(gradient(0.9 * solution)).max() > 1.0


@pytest.mark.parametrize(
    "data", ["close cut points", "classes of one sample", "separated"]
)
def test_the_gradient_vanishes_for_degenerate_data(draw_samples, data):
    rng = np.random.default_rng(0)
    grid = np.linspace(-1.0, 1.0, 40)
    if data == "close cut points":
        X, codes = draw_samples(2_000, 3, 60)
    elif data == "separated":
        X = grid[:, None]
        codes = (grid > 0.0).astype(np.int64)
    else:
        X = rng.normal(size=(402, 3))
        codes = np.append(rng.integers(3, size=400) * 2, [1, 3])
    solution, gradient = fitted(X, codes, 1.0)
    assert (np.diff(solution[X.shape[1] :]) > 0).all()
    assert np.abs(gradient(solution)).max() < 1e-4 * len(X)


@pytest.mark.parametrize("penalty", [0.1, 10.0])
def test_more_features_than_samples(penalty):
    rng = np.random.default_rng(3)
    data = (
        rng.normal(size=(12, 40)),
        np.arange(12) % 3,
        penalty,
        rng.uniform(0.5, 2.0, 12),
    )
    solution, gradient = fitted(*data)
    np.testing.assert_allclose(gradient(solution), 0.0, atol=5e-3)
    again, _ = fitted(*data, start=np.split(solution, [40]))
    np.testing.assert_allclose(again[:40], solution[:40], atol=1e-3)
