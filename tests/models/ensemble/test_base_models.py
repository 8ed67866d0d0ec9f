import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from moselect.models.ensemble.base_models import (
    CLIP_PROBA,
    RIDGE,
    fit_log_odds_stacking,
    log_odds_above,
)


def penalised_loss(parameters, log_odds, codes, weights, ridge):
    """Negative log-likelihood of all boundaries, with a penalty to the mean of models."""
    intercepts, coef = np.split(parameters, [3])
    z = intercepts + log_odds @ coef
    is_above = codes[:, None] > np.arange(3)
    likelihood = weights @ log_expit(np.where(is_above, z, -z))
    return ridge * len(coef) / 2 * ((coef - 1 / len(coef)) ** 2).sum() - likelihood.sum()


def test_weights_minimise_the_penalised_loss(rng):
    intercepts = np.array([-2.0, 0.0, 2.0])
    truth = rng.normal(size=60)
    noisy = truth[:, None] + [0.5, 1.0] * rng.normal(size=(60, 2))
    log_odds = 2 * noisy[:, None] - intercepts[:, None]
    codes = np.searchsorted(intercepts, 2 * truth + rng.logistic(size=60))
    weights = rng.uniform(0.5, 2, 60)
    fitted = fit_log_odds_stacking(log_odds, codes, weights)
    best = minimize(
        penalised_loss,
        np.zeros(5),
        args=(log_odds, codes, weights, RIDGE),
        bounds=[(None, None)] * 3 + [(0, None)] * 2,
    )
    assert_allclose(np.concatenate(fitted), best.x, atol=2e-3)


@given(st.integers(2, 6), st.integers(0, 20))
def test_log_odds_invert_to_probabilities(r, seed):
    proba = np.random.default_rng(seed).dirichlet(np.ones(r), size=8)
    log_odds = log_odds_above(proba)
    above = np.array([[row[k + 1 :].sum() for k in range(r - 1)] for row in proba])
    assert_allclose(expit(log_odds), above.clip(CLIP_PROBA, 1 - CLIP_PROBA))
