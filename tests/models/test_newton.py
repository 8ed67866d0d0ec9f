import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from moselect.models import fit_proportional_odds
from moselect.models.newton import NARROWEST

CENTRE = np.array([-1.0, 1.0, 2.0])


def draw(seed, without=None):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3)) @ rng.normal(size=(3, 3))
    latent = X @ [1.0, -1.0, 0.3] + rng.logistic(size=60)
    codes = np.searchsorted(np.quantile(latent, [0.4, 0.6, 0.9]), latent)
    weights = rng.uniform(0.0, 2.0, 60)
    weights[codes == without] = 0.0
    return X, codes, weights


def penalised_loss(parameters, X, codes, weights, penalty):
    """Compute the loss by its definition, in weights, the lowest cut point and gaps."""
    intercepts = np.cumsum(parameters[3:])
    at_most = expit(intercepts - (X @ parameters[:3])[:, None])
    at_most = np.column_stack([np.zeros(len(X)), at_most, np.ones(len(X))])
    own = np.diff(at_most, axis=1)[np.arange(len(X)), codes]
    counted = weights > 0.0
    likelihood = weights[counted] @ np.log(own[counted])
    return penalty / 2.0 * (parameters[:3] ** 2).sum() - likelihood


@pytest.mark.parametrize("without", [None, 1, 2])
@pytest.mark.parametrize("signs", [None, [1, 1, 0], [-1, -1, -1]])
@pytest.mark.parametrize("penalty", [0.1, 5.0])
def test_no_other_optimiser_finds_a_lower_loss(penalty, signs, without):
    X, codes, weights = draw(0, without)
    signs = None if signs is None else np.array(signs)
    fit = fit_proportional_odds(X, codes, 4, penalty, weights, signs=signs)
    assert fit.has_converged
    assert fit.n_iter < 30
    bounds = [(None, None)] * 4 + [(NARROWEST, None)] * 2
    if signs is not None:
        sides = {0: (None, None), 1: (0.0, None), -1: (None, 0.0)}
        bounds[:3] = [sides[sign] for sign in signs]
        assert (fit.weights * signs >= 0.0).all()
    start = np.r_[np.zeros(3), CENTRE[0], np.diff(CENTRE)]
    other = minimize(
        penalised_loss,
        start,
        (X, codes, weights, penalty),
        method="L-BFGS-B",
        bounds=bounds,
        options={"ftol": 1e-13, "maxiter": 5_000, "maxfun": 100_000},
    )
    found = np.r_[fit.weights, fit.intercepts[0], np.diff(fit.intercepts)]
    loss = penalised_loss(found, X, codes, weights, penalty)
    assert loss <= other.fun + 1e-9
    np.testing.assert_allclose(fit.weights, other.x[:3], atol=2e-3)


def test_the_optimum_does_not_depend_on_the_start():
    X, codes, weights = draw(1)
    usual = fit_proportional_odds(X, codes, 4, 1.0, weights)
    far = fit_proportional_odds(
        X, codes, 4, 1.0, weights, start=(np.full(3, 30.0), CENTRE * 40.0)
    )
    np.testing.assert_allclose(usual.weights, far.weights, atol=1e-6)
    np.testing.assert_allclose(usual.intercepts, far.intercepts, atol=1e-6)


def test_separable_classes_and_collinear_features_have_a_fit():
    X = np.repeat([-1.0, 0.0, 1.0], 10)[:, None] * [1.0, 2.0]
    codes = np.repeat([0, 1, 2], 10)
    fit = fit_proportional_odds(X, codes, 3, 1e-6)
    assert fit.has_converged
    above = (X @ fit.weights)[:, None] > fit.intercepts
    np.testing.assert_array_equal(above.sum(axis=1), codes)
