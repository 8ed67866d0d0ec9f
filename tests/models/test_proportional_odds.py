import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import logistic
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_predict
from sklearn.preprocessing import StandardScaler

from moselect.models import ProportionalOdds
from moselect.models.linear_fits import PENALTIES
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
    assert_allclose(model.predict_proba(X), oracle.predict_proba(Z), atol=1e-5)
    assert_array_equal(model.predict(X), oracle.predict(Z))


def test_small_probabilities_are_not_rounded_to_nothing():
    model = ProportionalOdds().fit([[-1.0], [0.0], [1.0]], [0, 1, 2])
    model.coef_, model.thresholds_ = np.array([1.0]), np.array([-1.0, 1.0])
    low = logistic.cdf([-36.0, -34.0])
    expected = [low[0], low[1] - low[0], 1.0]
    assert_allclose(model.predict_proba([[35.0]])[0], expected, rtol=1e-9)
    assert_allclose(model.predict_proba([[-35.0]])[0], expected[::-1], rtol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_the_penalty_maximises_the_cross_validated_likelihood(seed):
    X, codes = ordinal_table(150, 12, 3, seed)
    # noise features reward a penalty
    X[:, 3:] = np.random.default_rng(seed).normal(size=(150, 9))
    order = np.lexsort(X.T[::-1])  # the order of samples in the fit
    X = X[order]
    codes = codes[order]
    folds = Folds.deal(np.arange(150), codes, 5).splits

    def loss(alpha):
        model = ProportionalOdds(alpha=alpha)
        proba = cross_val_predict(model, X, codes, cv=folds, method="predict_proba")
        return log_loss(codes, proba)

    best = min(PENALTIES, key=loss)
    assert ProportionalOdds(alpha="cv").fit(X, codes).alpha_ == best
