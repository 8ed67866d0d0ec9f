from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from moselect.models import AdditiveOdds, contributions, model_shapes
from moselect.models.additive.shapes import Curve, ProductMap
from moselect.predictor import OrdinalLinearClassifier

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


def test_terms_are_sorted_and_those_that_do_nothing_left_out(model, found):
    names = [term.name for term in found]
    assert names[:2] == ["b * c", "a"]
    assert "d" not in names
    sizes = contributions(model, X).abs().mean()
    np.testing.assert_allclose([term.importance for term in found], sizes[names])
    assert (np.diff([term.importance for term in found]) <= 0.0).all()


def test_curves_are_contributions_over_the_values_of_the_feature(model, found):
    curve = found[1]
    assert isinstance(curve, Curve)
    assert curve.at[[0, -1]].tolist() == [X["a"].min(), X["a"].max()]
    at = contributions(model, X.iloc[:1].assign(a=curve.at[7]))["a"]
    assert curve.values[7] == pytest.approx(at[0])
    assert curve.counts.sum() == 700
    assert len(curve.edges) == len(curve.counts) + 1


def test_maps_are_contributions_of_both_features(model, found):
    product = found[0]
    assert isinstance(product, ProductMap)
    assert (product.first, product.second) == ("b", "c")
    row = X.iloc[:1].assign(b=product.at_first[3], c=product.at_second[20])
    assert product.values[20, 3] == pytest.approx(contributions(model, row)["b * c"][0])


def test_contributions_of_a_linear_model_are_weight_times_feature():
    model = OrdinalLinearClassifier([2.0, -1.0], [0.0], ["no", "yes"], ["b", "a"])
    table = X[["a", "b"]].set_axis(range(100, 800))
    parts = contributions(model, table)
    np.testing.assert_allclose(parts["b"], 2 * table["b"])
    np.testing.assert_allclose(parts.sum(axis=1), model.decision_function(table))
    assert parts.index.equals(table.index)
    plain = OrdinalLinearClassifier([2.0, -1.0], [0.0], ["no", "yes"])
    assert contributions(plain, [[1.0, 1.0]]).columns.tolist() == ["x0", "x1"]
