import numpy as np
import pandas as pd
from sklearn.metrics import log_loss

from moselect.models import AdditiveOdds, ProportionalOdds

# The classes follow a sine, a product and a linear effect.
RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(RNG.uniform(-2, 2, size=(900, 4)), columns=list("abcd"))
TABLE["d"] = 1.0
EFFECTS = 3 * np.sin(2 * TABLE["a"]) + 2 * TABLE["b"] * TABLE["c"] + TABLE["b"]
CODES = np.digitize(EFFECTS + RNG.logistic(size=900), [-2, 0, 2])
X, X_NEW = TABLE[:600], TABLE[600:]
Y, Y_NEW = CODES[:600], CODES[600:]


def test_nonlinear_effects_and_products_are_found():
    model = AdditiveOdds().fit(X, Y)
    assert np.isfinite(list(model.alphas_.values())).all()

    def loss(fitted):
        return log_loss(Y_NEW, fitted.predict_proba(X_NEW))

    assert loss(model) < 0.75 * loss(ProportionalOdds(alpha="cv").fit(X, Y))
    assert loss(AdditiveOdds(n_products=0).fit(X, Y)) > loss(model) + 0.1


def test_unhelpful_splines_and_products_are_dropped(rng):
    straight = X["a"] - 2 * X["b"] + rng.logistic(size=len(X))
    model = AdditiveOdds().fit(X, np.digitize(straight, [-1.0, 1.0]))
    assert model.alphas_["curves"] == model.alphas_["products"] == np.inf
    assert np.count_nonzero(model.coef_) == 3
