import numpy as np
import pytest

from moselect.models import fit_proportional_odds
from moselect.predictor import class_probabilities


@pytest.fixture(scope="session")
def draw_samples():
    """Draw standardised features (n, p) and class codes (n,) that follow them with noise."""

    def draw(n, p, r, seed=0):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(n, p))
        X = (X - X.mean(axis=0)) / X.std(axis=0)
        latent = X @ np.linspace(1.0, -1.5, p) + rng.logistic(size=n)
        shares = np.arange(1, r) / r
        return X, np.searchsorted(np.quantile(latent, shares), latent)

    return draw


def log_likelihood(X, codes, folds, penalty):
    """Sum the log-likelihoods of test folds by proportional odds, fitted without them."""
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    total = 0.0
    for j in np.unique(folds):
        known, unknown = folds != j, folds == j
        weights, intercepts, *_ = fit_proportional_odds(
            Z[known], codes[known], codes.max() + 1, penalty
        )
        proba = class_probabilities(Z[unknown] @ weights, intercepts)
        total += np.log(proba[np.arange(len(proba)), codes[unknown]]).sum()
    return total
