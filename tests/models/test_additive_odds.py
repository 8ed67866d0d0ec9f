import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss

from moselect.models import AdditiveOdds, ProportionalOdds


@pytest.fixture(scope="module")
def nonlinear():
    """Draw a table whose classes follow a sine, a product and a linear effect."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.uniform(-2, 2, size=(900, 4)), columns=list("abcd"))
    X["d"] = 1.0
    latent = (
        3 * np.sin(2 * X["a"]) + 2 * X["b"] * X["c"] + X["b"] + rng.logistic(size=900)
    )
    y = pd.cut(latent, [-99, -2, 0, 2, 99], labels=["low", "fair", "good", "best"])
    return X[:600], y[:600], X[600:], y[600:]


@pytest.fixture(scope="module")
def model(nonlinear):
    return AdditiveOdds().fit(*nonlinear[:2])


def parts(model, X):
    """Return the contributions of the terms to the score of each row."""
    frozen = model.to_predictor()
    return frozen.parts(frozen.columns_of(X))


def test_nonlinear_effects_and_products_are_found(nonlinear, model):
    X, y, X_new, y_new = nonlinear
    assert np.isfinite(list(model.alphas_.values())).all()

    def loss(fitted):
        return log_loss(y_new.cat.codes, fitted.predict_proba(X_new), labels=range(4))

    assert loss(model) < 0.75 * loss(ProportionalOdds(alpha="cv").fit(X, y))
    assert loss(AdditiveOdds(n_products=0).fit(X, y)) > loss(model) + 0.1


def test_unhelpful_splines_and_products_are_dropped(nonlinear):
    X = nonlinear[0]
    rng = np.random.default_rng(1)
    straight = X["a"] - 2 * X["b"] + rng.logistic(size=len(X))
    model = AdditiveOdds().fit(X, np.digitize(straight, [-1.0, 1.0]))
    assert model.alphas_["curves"] == model.alphas_["products"] == np.inf
    assert np.count_nonzero(model.coef_) == 3


def test_contributions_add_up_to_the_score_and_follow_their_feature(nonlinear, model):
    X, _, X_new, _ = nonlinear
    found = parts(model, X_new)
    np.testing.assert_allclose(found.sum(axis=1), model.decision_function(X_new))
    sine = np.sin(2 * X_new["a"])
    product = X_new["b"] * X_new["c"]
    assert np.corrcoef(found["a"], sine)[0, 1] > 0.97
    assert np.corrcoef(found["b * c"], product)[0, 1] > 0.95
    np.testing.assert_allclose(parts(model, X).mean(axis=0), 0.0, atol=1e-10)
