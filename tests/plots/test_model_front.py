from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from moselect import compare
from moselect.plots import model_front

RNG = np.random.default_rng(11)
X = RNG.normal(size=(90, 4))
Y = np.digitize(X[:, 0] + RNG.normal(scale=0.8, size=90), [-0.7, 0.7])
MODELS = {
    "logistic": "multinomial",
    "ridge": "ordinal_ridge",
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=2),
    "deep": DecisionTreeClassifier(),
    "trivial": "trivial",
    "broken": LogisticRegression(C=-1.0),
}
FOUND = compare(MODELS, X, Y, cv=3, random_state=0)


def drawn(ax, label):
    """Give means and bars of the models of a legend's entry."""
    (container,) = [c for c in ax.containers if c.get_label().startswith(label)]
    line, _, bars = container
    return line.get_xydata(), [bar.get_segments() for bar in bars]


@pytest.mark.parametrize(("x", "y"), [("accuracy", "u_ovo"), ("mean_absolute_error", "u_cons")])
def test_means_and_bars_are_those_of_the_comparison(x, y):
    ax = model_front(FOUND, x, y)
    table = FOUND.measured([x, y]).drop(index="broken")
    front = table.loc[FOUND.front([x, y])].sort_values((x, "mean"))
    assert 0 < len(front) < len(table)
    points, (across, up) = drawn(ax, "not dominated")
    np.testing.assert_allclose(points, front[[(x, "mean"), (y, "mean")]])
    for name, horizontal, vertical in zip(front.index, across, up, strict=True):
        mean, sd = table.loc[name, (x, "mean")], table.loc[name, (x, "sd")]
        np.testing.assert_allclose(horizontal[:, 0], [mean - sd, mean + sd])
        mean, sd = table.loc[name, (y, "mean")], table.loc[name, (y, "sd")]
        np.testing.assert_allclose(vertical[:, 1], [mean - sd, mean + sd])
    joined = [line for line in ax.lines if line.get_linestyle() == "-"]
    np.testing.assert_allclose(joined[0].get_xydata(), points)
    assert ax.xaxis_inverted() == (x == "mean_absolute_error")
    assert not ax.yaxis_inverted()


def test_every_model_is_named_beside_its_point_or_out_of_sight():
    ax = model_front(FOUND, "accuracy", "u_ovo")
    (others,) = [c.get_label() for c in ax.containers if c.get_label().startswith("others")]
    named = {text.get_text() for text in ax.texts} - {""}
    far = {name for name in MODELS if name in others}
    assert named | far == set(MODELS) - {"broken"}
    assert far == {"trivial"}
    assert not named & far
    places = {text.get_text(): text.xy for text in ax.texts if text.get_text()}
    for name, (x, y) in places.items():
        assert x == FOUND.measured(["accuracy"]).loc[name, ("accuracy", "mean")]
        assert y == FOUND.measured(["u_ovo"]).loc[name, ("u_ovo", "mean")]


def test_models_out_of_sight_are_told_even_if_no_other_is_left():
    models = {"a": "multinomial", "b": "multinomial", "c": "multinomial", "d": "multinomial"}
    found = compare(models | {"trivial": "trivial"}, X, Y, cv=3, random_state=0)
    ax = model_front(found, "accuracy", "vus")
    labels = ax.get_legend_handles_labels()[1]
    assert labels == ["others (out of sight: trivial)", "not dominated"]


def test_wrong_measures():
    with pytest.raises(ValueError, match="x and y are both vus"):
        model_front(FOUND, "vus", "vus")
    with pytest.raises(ValueError, match="unknown measure 'mae'"):
        model_front(FOUND, "mae")
    broken = compare({"broken": MODELS["broken"]}, X, Y, cv=3)
    with pytest.raises(ValueError, match="no model has values of both"):
        model_front(broken)
