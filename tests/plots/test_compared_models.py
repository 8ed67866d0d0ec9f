"""Pictures of a comparison: two measures, and cost over complexity."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from moselect import compare
from moselect.plots import model_front

MODELS = {
    "logistic": "multinomial",
    "ridge": "ordinal_ridge",
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=2),
    "deep": DecisionTreeClassifier(),
    "always_one_class": "always_one_class",
    "broken": LogisticRegression(C=-1.0),
}


@pytest.fixture(scope="module")
def comparison(smooth):
    return compare(MODELS, *smooth(seed=0, r=3, n=90, p=4), cv=3, random_state=0)


def drawn(ax, label):
    """Return means and bars of the models of a legend's entry."""
    (container,) = [c for c in ax.containers if c.get_label().startswith(label)]
    line, _, bars = container
    return line.get_xydata(), [bar.get_segments() for bar in bars]


@pytest.mark.parametrize(
    ("x", "y"), [("accuracy", "u_ovo"), ("mean_absolute_error", "u_cons")]
)
def test_means_and_bars_match_the_comparison(comparison, x, y):
    ax = model_front(comparison, x, y)
    measures = comparison.fold_measures([x, y])
    table = measures.summary
    front = table.loc[measures.front()].sort_values((x, "mean"))
    assert 0 < len(front) < len(table)
    points, (across, up) = drawn(ax, "Pareto front")
    np.testing.assert_allclose(points, front[[(x, "mean"), (y, "mean")]])
    for measure, bars, axis in ((x, across, 0), (y, up, 1)):
        mean = front[measure, "mean"]
        sd = front[measure, "sd"]
        ends = np.array(bars)[:, :, axis].T
        np.testing.assert_allclose(ends, [mean - sd, mean + sd])
    (joined,) = [line for line in ax.lines if line.get_linestyle() == "-"]
    np.testing.assert_allclose(joined.get_xydata(), points)
    assert ax.xaxis_inverted() == (x == "mean_absolute_error")
    assert not ax.yaxis_inverted()
