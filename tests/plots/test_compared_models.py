"""Pictures of a comparison: two measures, and cost over complexity."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from moselect import compare
from moselect.plots import model_front
from moselect.plots.compared_models import RADIUS, name_points
from moselect.plots.style import lay_out

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


def draw(x, y, names):
    ax = Figure(figsize=(7.0, 4.8), layout="constrained").subplots()
    ax.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0), xlabel="a long label\nof two lines")
    lay_out(ax)
    name_points(ax, x, y, names)
    ax.figure.draw_without_rendering()
    notes = [note for note in ax.texts if note.get_text()]
    assert [note.get_text() for note in notes] == list(names)
    return ax, notes


def assert_no_overlap(one, other):
    common = Bbox.intersection(one, other)
    assert common is None or min(common.width, common.height) < 1.5  # pixels: of rounding


@pytest.mark.slow
@settings(max_examples=12, phases=[Phase.explicit, Phase.generate])
@given(
    n=st.integers(1, 10),
    seed=st.integers(0, 10**6),
    narrow=st.sampled_from([1.0, 0.3, 0.1]),
    corner=st.sampled_from([0.0, 0.4, 1.0]),
)
def test_names_cover_neither_each_other_nor_points(n, seed, narrow, corner):
    places = corner * (1.0 - narrow) + narrow * np.random.default_rng(seed).random((n, 2))
    ax, notes = draw(*places.T, [f"model number {i}" for i in range(n)])
    boxes = [note.get_window_extent() for note in notes]
    for one, other in combinations(boxes, 2):
        assert_no_overlap(one, other)
    radius = 0.9 * RADIUS * ax.figure.dpi / 72.0
    for point in ax.transData.transform(places):
        dot = Bbox([point - radius, point + radius])
        for box in boxes:
            assert_no_overlap(dot, box)
    frame = ax.bbox.padded(1.5)  # pixels
    assert all(frame.count_contains(box.corners()) == 4 for box in boxes)
