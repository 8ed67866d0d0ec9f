import numpy as np
import pandas as pd
import pytest

from moselect.models import AdditiveOdds, contributions, model_shapes
from moselect.models.additive_odds import Curve

rng = np.random.default_rng(0)
X = pd.DataFrame(rng.uniform(-2, 2, size=(700, 4)), columns=list("abcd"))
X["d"] = 1.0
LATENT = 3 * np.sin(2 * X["a"]) + 3 * X["b"] * X["c"] + rng.logistic(size=700)
Y = pd.cut(LATENT, [-99, -2, 1, 99], labels=["low", "mid", "high"])


@pytest.fixture(scope="module")
def model():
    return AdditiveOdds().fit(X, Y)


@pytest.fixture(scope="module")
def found(model):
    return model_shapes(model, X)


def test_terms_are_sorted_by_importance_without_null_terms(model, found):
    names = [term.name for term in found]
    assert names[:2] == ["b * c", "a"]
    assert "d" not in names
    sizes = contributions(model, X).abs().mean()
    np.testing.assert_allclose([term.importance for term in found], sizes[names])
    assert (np.diff([term.importance for term in found]) <= 0.0).all()


def test_shapes_are_contributions_over_the_range_of_the_feature(model, found):
    curve = found[1]
    assert isinstance(curve, Curve)
    assert curve.at[[0, -1]].tolist() == [X["a"].min(), X["a"].max()]
    at = contributions(model, X.iloc[:1].assign(a=curve.at[7]))["a"]
    assert curve.values[7] == pytest.approx(at[0])
    assert curve.counts.sum() == 700
    assert len(curve.edges) == len(curve.counts) + 1
