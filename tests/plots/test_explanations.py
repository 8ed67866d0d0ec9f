import numpy as np
import pandas as pd
import pytest

from moselect.models import AdditiveOdds
from moselect.plots import shapes

rng = np.random.default_rng(0)
X = pd.DataFrame(rng.uniform(-2, 2, size=(300, 5)), columns=["a", "b", "c", "few", "one"])
X["few"] = rng.integers(0, 3, 300)
X["one"] = 1.0
Y = np.digitize(
    2 * np.sin(2 * X["a"]) + X["b"] * X["c"] + rng.logistic(size=300), [-1.0, 1.0]
)
MODEL = AdditiveOdds().fit(X, Y)


def contributions(X):
    frozen = MODEL.to_predictor()
    return frozen.parts(frozen.columns_of(X))


def panels(figure):
    return {ax.get_title(): ax for ax in figure.axes if ax.get_title()}


def test_terms_with_an_effect_are_drawn_as_contributions_in_order_of_importance():
    sizes = contributions(X).abs().mean().sort_values(ascending=False)
    names = list(sizes.index[sizes > 0.0])
    assert names[:2] == ["a", "b * c"]
    assert "one" not in names
    assert list(panels(shapes(MODEL, X, n_terms=3))) == names[:3]
    drawn = panels(shapes(MODEL, X, n_terms=99))
    assert list(drawn) == names
    line = drawn["a"].lines[1]
    at = line.get_xdata()
    assert at[[0, -1]].tolist() == [X["a"].min(), X["a"].max()]
    rows = pd.DataFrame([X.mean()] * len(at)).assign(a=at)
    np.testing.assert_allclose(line.get_ydata(), contributions(rows)["a"])
    assert drawn["few"].lines[1].get_marker() == "o"
    mesh = drawn["b * c"].collections[0]
    (b, c), value = mesh.get_coordinates()[3, 5], mesh.get_array()[3, 5]
    row = pd.DataFrame([X.mean()]).assign(b=b, c=c)
    assert value == pytest.approx(contributions(row)["b * c"][0])
