from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection

from moselect.plots import OBJECTIVE_NAMES, parallel_coordinates

NAMES = list(OBJECTIVE_NAMES)


def make_front(k=40, m=6, seed=0):
    values = 0.7 + 0.1 * np.random.default_rng(seed).random((k, m))
    return pd.DataFrame(values, columns=NAMES[:m])


def scaled(rows, table):
    low, high = table.min(), table.max()
    return ((rows - low) / (high - low)).to_numpy()


def pale_lines(ax):
    (lines,) = [c for c in ax.collections if isinstance(c, LineCollection)]
    return np.array(lines.get_segments()), lines.get_alpha()


def line(ax, label):
    (found,) = [line for line in ax.lines if line.get_label() == label]
    return found.get_xydata()


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_every_model_is_a_line_from_its_least_to_its_greatest_values():
    front = make_front()
    segments, _ = pale_lines(parallel_coordinates(front))
    np.testing.assert_array_equal(segments[:, :, 0], np.tile(np.arange(6.0), (40, 1)))
    np.testing.assert_allclose(segments[:, :, 1], scaled(front, front))


def test_the_best_in_each_objective_is_in_colour_once():
    front = make_front(m=3)
    front.loc[7] = [1.0, 1.0, 0.7]
    front.loc[9, "vus"] = 1.0
    ax = parallel_coordinates(front)
    assert labels(ax) == [r"best accuracy, $1 - \mathrm{MAE}$", "best VUS"]
    for row, label in ((7, labels(ax)[0]), (9, "best VUS")):
        np.testing.assert_allclose(line(ax, label)[:, 1], scaled(front, front)[row])


def test_many_lines_are_thinned_and_the_paler_the_more_there_are():
    alphas = [pale_lines(parallel_coordinates(make_front(k)))[1] for k in (10, 300, 3_000)]
    assert alphas == sorted(alphas, reverse=True)
    assert len(set(alphas)) == 3
    front = make_front(20_000)
    segments, alpha = pale_lines(parallel_coordinates(front))
    assert 2_000 < len(segments) <= 3_000
    assert alpha * 255 > 4  # or it would vanish in eight bits
    assert {tuple(row) for row in segments[:, :, 1]} <= {tuple(r) for r in scaled(front, front)}


def test_chance_is_written_below_and_marked_where_it_is_in_sight():
    front = make_front(m=3)
    chance = pd.Series([0.1, 0.75, 0.9], index=NAMES[:3])
    ax = parallel_coordinates(front, chance=chance)
    height = (0.75 - front["one_minus_mae"].min()) / np.ptp(front["one_minus_mae"])
    np.testing.assert_allclose(line(ax, "chance"), [[1.0, height]])
    below = [label.get_text() for label in ax.get_xticklabels()]
    assert [text.split("\n")[1] for text in below] == ["chance 0.1", "chance 0.75", "chance 0.9"]
    assert "chance" not in labels(parallel_coordinates(front, chance=chance - 1.0))


def test_ends_and_names_of_axes_are_written():
    front = make_front(m=3)
    ax = parallel_coordinates(front)
    texts = [text.get_text().replace("\n", " ") for text in ax.texts]
    for name in NAMES[:3]:
        assert f"{front[name].max():.3f}" in texts
        assert OBJECTIVE_NAMES[name].math in texts
        assert OBJECTIVE_NAMES[name].words in texts
    below = [label.get_text() for label in ax.get_xticklabels()]
    assert below == [f"{front[name].min():.3f}" for name in NAMES[:3]]


def test_marked_models_widen_the_axes_and_columns_are_matched_by_name():
    front = make_front(m=3)
    marked = pd.DataFrame([[0.5] * 3, [0.6] * 3, [0.9] * 3], columns=NAMES[:3], index=list("aba"))
    ax = parallel_coordinates(front, marked=marked[NAMES[2::-1]])
    assert labels(ax)[-2:] == ["a", "b"]
    np.testing.assert_allclose(line(ax, "b")[:, 1], 0.25)
    np.testing.assert_allclose(line(ax, "a")[:, 1], 0.0)
    assert any(np.allclose(drawn.get_ydata(), 1.0) for drawn in ax.lines if len(drawn.get_ydata()))


@pytest.mark.parametrize(
    ("front", "others", "message"),
    [
        (make_front().rename(columns={"vus": "auc"}), {}, "unknown column 'auc'"),
        (make_front(m=1), {}, "at least two distinct columns"),
        (make_front()[:0], {}, "objectives has no rows"),
        (make_front() * np.inf, {}, "objectives has a value of accuracy that is not finite"),
        (make_front(), {"marked": make_front(m=2)}, "marked must have the objectives"),
        (make_front(), {"chance": pd.Series({"vus": 0.1})}, "chance must have the objectives"),
    ],
)
def test_unfit_tables_are_refused(front, others, message):
    with pytest.raises(ValueError, match=message) as caught:
        parallel_coordinates(front, **others)
    assert "\n" not in str(caught.value)
