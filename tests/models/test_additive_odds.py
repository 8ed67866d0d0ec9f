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


def test_nonlinear_effects_and_products_are_found(nonlinear, model):
    X, y, X_new, y_new = nonlinear
    assert np.isfinite(list(model.alphas_.values())).all()

    def loss(fitted):
        return log_loss(y_new.cat.codes, fitted.predict_proba(X_new), labels=range(4))

    assert loss(model) < 0.75 * loss(ProportionalOdds(alpha="cv").fit(X, y))
    assert loss(AdditiveOdds(n_products=0).fit(X, y)) > loss(model) + 0.1


def test_unhelpful_splines_and_products_are_dropped(nonlinear, rng):
    X = nonlinear[0]
    straight = X["a"] - 2 * X["b"] + rng.logistic(size=len(X))
    model = AdditiveOdds().fit(X, np.digitize(straight, [-1.0, 1.0]))
    assert model.alphas_["curves"] == model.alphas_["products"] == np.inf
    assert np.count_nonzero(model.coef_) == 3
