import numpy as np
import pandas as pd

from moselect.models import AdditiveOdds, model_shapes
from moselect.plots import shapes

rng = np.random.default_rng(0)
X = pd.DataFrame(rng.uniform(-2, 2, size=(300, 4)), columns=["a", "b", "c", "few"])
X["few"] = rng.integers(0, 3, 300)
Y = np.digitize(
    2 * np.sin(2 * X["a"]) + X["b"] * X["c"] + rng.logistic(size=300), [-1.0, 1.0]
)
FOUND = model_shapes(AdditiveOdds().fit(X, Y), X)
TERMS = {term.name: term for term in FOUND}


def panels(figure):
    return {ax.get_title(): ax for ax in figure.axes if ax.get_title()}


def test_terms_are_drawn_in_the_order_of_importance_as_given():
    assert list(panels(shapes(FOUND, n_terms=4))) == list(TERMS)[:4]
    figure = shapes(FOUND, n_terms=99)
    assert list(panels(figure)) == list(TERMS)
    ax = panels(figure)["a"]
    line = ax.lines[1]
    np.testing.assert_array_equal(line.get_xdata(), TERMS["a"].at)
    np.testing.assert_array_equal(line.get_ydata(), TERMS["a"].values)
    density = next(
        other
        for other in figure.axes
        if other is not ax and other.bbox.bounds == ax.bbox.bounds
    )
    assert [bar.get_height() for bar in density.patches] == TERMS["a"].counts.tolist()
    assert panels(figure)["few"].lines[1].get_marker() == "o"
