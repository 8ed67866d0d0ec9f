import numpy as np
import pytest
from scipy.stats import logistic
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from moselect.models import ProportionalOdds, fit_proportional_odds
from moselect.models.linear_fits import PENALTIES
from moselect.predictor import class_probabilities
from moselect.samples.folds import Folds
from tests.any_tables import ordinal_table


@pytest.mark.parametrize("alpha", [0.1, 1.0, 30.0])
@pytest.mark.parametrize("heavy", [1.0, 5.0])
def test_two_classes_are_logistic_regression(alpha, heavy):
    X, above = ordinal_table(300, r=2)
    weights = np.where(X[:, 1] > 0.0, heavy, 1.0)
    X = X * [1.0, 1e3, 1e-3] + [5.0, -2e3, 0.0]
    Z = StandardScaler().fit(X, sample_weight=weights).transform(X)
    oracle = LogisticRegression(C=1 / alpha, tol=1e-10).fit(Z, above, weights)
    model = ProportionalOdds(alpha=alpha).fit(X, above, sample_weight=weights)
    np.testing.assert_allclose(model.predict_proba(X), oracle.predict_proba(Z), atol=1e-5)
    np.testing.assert_array_equal(model.predict(X), oracle.predict(Z))


def test_small_probabilities_are_not_rounded_to_nothing():
    model = ProportionalOdds().fit([[-1.0], [0.0], [1.0]], [0, 1, 2])
    model.coef_, model.thresholds_ = np.array([1.0]), np.array([-1.0, 1.0])
    low = logistic.cdf([-36.0, -34.0])
    expected = [low[0], low[1] - low[0], 1.0]
    np.testing.assert_allclose(model.predict_proba([[35.0]])[0], expected, rtol=1e-9)
    np.testing.assert_allclose(
        model.predict_proba([[-35.0]])[0], expected[::-1], rtol=1e-9
    )


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


@pytest.mark.parametrize("seed", range(3))
def test_the_penalty_maximises_the_cross_validated_likelihood(seed):
    X, codes = ordinal_table(150, 12, 3, seed)
    X[:, 3:] = np.random.default_rng(seed).normal(
        size=(150, 9)
    )  # noise features reward a penalty
    order = np.lexsort(X.T[::-1])  # the order of samples in the fit
    X = X[order]
    codes = codes[order]
    folds = Folds.deal(np.arange(150), codes, 5).index
    best = max(PENALTIES, key=lambda alpha: log_likelihood(X, codes, folds, alpha))
    assert ProportionalOdds(alpha="cv").fit(X, codes).alpha_ == best
