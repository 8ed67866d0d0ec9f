import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss

from moselect.models import AdditiveOdds, ProportionalOdds, contributions


@pytest.fixture(scope="module")
def nonlinear():
    """Draw a table whose classes follow a sine, a product and a linear effect."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.uniform(-2, 2, size=(900, 4)), columns=list("abcd"))
    latent = (
        3 * np.sin(2 * X["a"]) + 2 * X["b"] * X["c"] + X["b"] + rng.logistic(size=900)
    )
    y = pd.cut(latent, [-99, -2, 0, 2, 99], labels=["low", "fair", "good", "best"])
    return X[:600], y[:600], X[600:], y[600:]


def test_nonlinear_effects_and_products_are_found(nonlinear):
    X, y, X_new, y_new = nonlinear
    codes = y_new.cat.codes

    def loss(model):
        return log_loss(codes, model.fit(X, y).predict_proba(X_new), labels=range(4))

    additive_loss = loss(AdditiveOdds())
    assert additive_loss < 0.75 * loss(ProportionalOdds(alpha="cv"))
    assert loss(AdditiveOdds(n_products=0)) > additive_loss + 0.1


def test_unhelpful_splines_and_products_are_dropped(nonlinear):
    X = nonlinear[0]
    rng = np.random.default_rng(1)
    straight = X["a"] - 2 * X["b"] + rng.logistic(size=len(X))
    model = AdditiveOdds().fit(X, np.digitize(straight, [-1.0, 1.0]))
    assert model.alphas_["curves"] == model.alphas_["products"] == np.inf
    assert np.count_nonzero(model.coef_) == 4
    nonlinear_model = AdditiveOdds().fit(*nonlinear[:2])
    assert np.isfinite(list(nonlinear_model.alphas_.values())).all()


def test_contributions_add_up_to_the_score_and_follow_their_feature(nonlinear):
    X, y, X_new, _ = nonlinear
    model = AdditiveOdds().fit(X, y)
    parts = contributions(model, X_new)
    np.testing.assert_allclose(parts.sum(axis=1), model.decision_function(X_new))
    assert np.corrcoef(parts["a"], np.sin(2 * X_new["a"]))[0, 1] > 0.97
    assert np.corrcoef(parts["b * c"], X_new["b"] * X_new["c"])[0, 1] > 0.95
    assert parts.std().nlargest(3).index.tolist() == ["b * c", "a", "b"]
    np.testing.assert_allclose(contributions(model, X).mean(axis=0), 0.0, atol=1e-10)
