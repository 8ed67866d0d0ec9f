from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.collections import LineCollection

from moselect.metrics.objectives import objective_named
from moselect.plots import parallel_coordinates
from tests.plots.conftest import NAMES, legend, lines, make_objectives


def scaled(rows, table):
    low, high = table.min(), table.max()
    return ((rows - low) / (high - low)).to_numpy()


def pale_lines(ax):
    (found,) = [c for c in ax.collections if isinstance(c, LineCollection)]
    return np.array(found.get_segments()), found.get_alpha()


def heights(ax, label):
    return lines(ax, label)[-1].get_ydata()


def test_every_model_is_a_line_from_its_least_to_its_greatest_values():
    front = make_objectives()
    ax = parallel_coordinates(front)
    segments, _ = pale_lines(ax)
    np.testing.assert_array_equal(segments[:, :, 0], np.tile(np.arange(6.0), (40, 1)))
    np.testing.assert_allclose(segments[:, :, 1], scaled(front, front))
    texts = [text.get_text().replace("\n", " ") for text in ax.texts]
    for name in front:
        objective = objective_named(name)
        assert {f"{front[name].max():.3f}", objective.symbol, objective.description} <= set(texts)
    below = [label.get_text() for label in ax.get_xticklabels()]
    assert below == [f"{least:.3f}" for least in front.min()]


def test_the_best_in_each_objective_is_in_colour_once():
    front = make_objectives(m=3)
    front.loc[7] = [1.0, 1.0, 0.7]
    front.loc[9, "vus"] = 1.0
    ax = parallel_coordinates(front)
    assert legend(ax.get_legend()) == [r"best accuracy, $1 - \mathrm{MAE}$", "best VUS"]
    for row, label in ((7, "best accuracy"), (9, "best VUS")):
        np.testing.assert_allclose(heights(ax, label), scaled(front, front)[row])


def test_many_lines_are_thinned_and_the_paler_the_more_there_are():
    alphas = [pale_lines(parallel_coordinates(make_objectives(k)))[1] for k in (10, 300, 3_000)]
    assert alphas == sorted(set(alphas), reverse=True)
    front = make_objectives(20_000)
    segments, alpha = pale_lines(parallel_coordinates(front))
    assert 2_000 < len(segments) <= 3_000
    assert alpha * 255 > 4  # or it would vanish in eight bits
    assert {tuple(row) for row in segments[:, :, 1]} <= {tuple(r) for r in scaled(front, front)}


def test_chance_is_written_below_and_marked_where_it_is_in_sight():
    front = make_objectives(m=3)
    chance = pd.Series([0.1, 0.75, 0.9], index=NAMES[:3])
    ax = parallel_coordinates(front, chance=chance)
    (marks,) = lines(ax, "chance")
    height = (0.75 - front["one_minus_mae"].min()) / np.ptp(front["one_minus_mae"])
    np.testing.assert_allclose(marks.get_xydata(), [[1.0, height]])
    below = [label.get_text() for label in ax.get_xticklabels()]
    assert [text.split("\n")[1] for text in below] == ["chance 0.1", "chance 0.75", "chance 0.9"]
    assert lines(parallel_coordinates(front, chance=chance - 1.0), "chance") == []


def test_marked_models_widen_the_axes_and_columns_are_matched_by_name():
    marked = pd.DataFrame([[0.5] * 3, [0.6] * 3, [0.9] * 3], columns=NAMES[:3], index=list("aba"))
    ax = parallel_coordinates(make_objectives(m=3), marked=marked[NAMES[2::-1]])
    assert legend(ax.get_legend())[-2:] == ["a", "b"]
    np.testing.assert_allclose(heights(ax, "b"), 0.25)
    np.testing.assert_allclose(heights(ax, "a"), 0.0)
    assert any(np.allclose(drawn.get_ydata(), 1.0) for drawn in ax.lines if len(drawn.get_ydata()))
