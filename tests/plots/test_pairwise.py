from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from moselect.plots import OBJECTIVE_NAMES, pairwise_fronts
from moselect.plots.pairs import find_pairs, nondominated_in_pair

NAMES = list(OBJECTIVE_NAMES)


def make_front(k=40, m=6, seed=0):
    values = 0.7 + 0.1 * np.random.default_rng(seed).random((k, m))
    return pd.DataFrame(values, columns=NAMES[:m])


def make_chance(value, m=6):
    return pd.Series(value, index=NAMES[:m])


def panel(figure, i, j):
    m = round(len(figure.axes) ** 0.5)
    return figure.axes[i * m + j]


def lines(ax, label):
    return [line for line in ax.lines if str(line.get_label()).startswith(label)]


def texts(ax):
    return "\n".join(text.get_text() for text in ax.texts)


def legend(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def slow_nondominated(x, y):
    points = list(zip(x, y, strict=True))
    return [not any(a >= x and b >= y and (a, b) != (x, y) for a, b in points) for x, y in points]


@given(st.integers(1, 30).flatmap(lambda k: arrays(float, (2, k), elements=st.integers(-4, 4))))
def test_nondominated_matches_brute_force_with_ties(values):
    assert nondominated_in_pair(*values).tolist() == slow_nondominated(*values)


def test_every_panel_highlights_its_own_front():
    front = make_front()
    figure = pairwise_fronts(front)
    for i, j in zip(*np.tril_indices(6, -1), strict=True):
        best = slow_nondominated(front.iloc[:, j], front.iloc[:, i])
        (border,) = lines(panel(figure, i, j), "on the front")
        (others,) = lines(panel(figure, i, j), "other models")
        expected = front.to_numpy()[best][:, [j, i]]
        shown = border.get_xydata()[border.get_markevery()]
        np.testing.assert_array_equal(np.sort(shown, axis=0), np.sort(expected, axis=0))
        assert len(others.get_xydata()) == len(front) - sum(best)


def test_chance_is_a_line_only_where_it_is_in_sight():
    chance = make_chance(0.2, 4)
    chance["vus"] = 0.75
    figure = pairwise_fronts(make_front(m=4), chance=chance)
    low, high = panel(figure, 1, 0).get_xlim()
    assert low > 0.69
    assert high < 0.81
    for i, j in zip(*np.tril_indices(4, -1), strict=True):
        assert len(lines(panel(figure, i, j), "chance")) == (2 in (i, j))
    assert "chance 0.2" in texts(panel(figure, 0, 0))
    assert "chance 0.75" in texts(panel(figure, 2, 2))
    assert "chance" in legend(figure)
    assert "chance" not in legend(pairwise_fronts(make_front(m=2), chance=make_chance(0.2, 2)))


def test_columns_of_other_tables_are_matched_by_name():
    front, chance = make_front(), pd.Series(np.arange(6) / 6, index=NAMES)
    pairs = find_pairs(front, chance[::-1], front[NAMES[::-1]], front.iloc[:2, ::-1])
    np.testing.assert_array_equal(pairs.chance, chance)
    np.testing.assert_array_equal(pairs.holdout, front)
    np.testing.assert_array_equal(np.vstack(list(pairs.marked.values())), front[:2])


def test_holdout_shows_the_models_of_the_training_front():
    front = make_front(m=3)
    holdout = front - 0.3
    figure = pairwise_fronts(front, holdout=holdout)
    for i, j in zip(*np.triu_indices(3, 1), strict=True):
        best = slow_nondominated(front.iloc[:, j], front.iloc[:, i])
        (points,) = lines(panel(figure, i, j), "the same on held-out")
        np.testing.assert_array_equal(points.get_xydata(), holdout.to_numpy()[best][:, [j, i]])
    assert panel(figure, 1, 0).get_xlim()[0] > 0.69  # held-out values do not squeeze the front
    assert panel(figure, 0, 1).get_xlim()[0] < 0.41


def test_correlation_fills_the_upper_triangle_without_holdout():
    front = make_front(m=3)
    front["vus"] = -(front["accuracy"] ** 3)
    front["one_minus_mae"] = 0.5
    figure = pairwise_fronts(front)
    assert "\N{MINUS SIGN}1.00" in texts(panel(figure, 0, 2))
    assert "\N{EN DASH}" in texts(panel(figure, 0, 1))


def test_several_fronts_have_lines_of_their_own_in_every_panel():
    fronts = {"small": make_front(k=30, m=4, seed=1), "large": make_front(m=4, seed=2) + 0.05}
    fronts["large"] = fronts["large"][NAMES[3::-1]]
    figure = pairwise_fronts(fronts, chance=make_chance(0.72, 4))
    assert legend(figure)[:2] == ["small (30 models)", "large (40 models)"]
    colours = set()
    for i, j in zip(*np.tril_indices(4, -1), strict=True):
        for name, front in fronts.items():
            values = front[NAMES[:4]].to_numpy()[:, [j, i]]
            (border,) = lines(panel(figure, i, j), name)
            shown = border.get_xydata()[border.get_markevery()]
            expected = values[slow_nondominated(*values.T)]
            np.testing.assert_array_equal(np.sort(shown, axis=0), np.sort(expected, axis=0))
            (pale,) = [
                line
                for line in panel(figure, i, j).lines
                if line.get_color() == border.get_color() and line.get_linestyle() == "None"
            ]
            assert len(pale.get_xydata()) == len(front) - len(shown)
            colours.add(border.get_color())
    assert len(colours) == 2
    correlations = [front["accuracy"].corr(front["vus"], "spearman") for front in fronts.values()]
    shown = [text.get_text() for text in panel(figure, 0, 2).texts]
    assert shown == [f"{c:+.2f}".replace("-", "\N{MINUS SIGN}") for c in correlations]


def test_marked_points_are_drawn_and_named():
    front = make_front(m=3)
    marked = pd.DataFrame([[0.5] * 3, [0.6] * 3, [0.7] * 3], columns=NAMES[:3], index=list("aba"))
    figure = pairwise_fronts(front, marked=marked)
    assert legend(figure)[-2:] == ["a", "b"]
    (points,) = lines(panel(figure, 2, 0), "a")
    assert points.get_xydata().tolist() == [[0.5, 0.5], [0.7, 0.7]]
    assert panel(figure, 2, 0).get_xlim()[0] < 0.5


@pytest.mark.parametrize("k", [1, 5])
def test_constant_objectives_have_axes(k):
    front = pd.DataFrame(0.75, index=range(k), columns=NAMES[:3])
    figure = pairwise_fronts(front, chance=make_chance(0.75, 3))
    low, high = panel(figure, 1, 0).get_xlim()
    assert low < 0.75 < high
    assert texts(panel(figure, 0, 0)) == "accuracy\n0.750\nchance 0.75"
    assert lines(panel(figure, 1, 0), "other models") == []


def test_many_models_are_thinned_but_not_on_the_front():
    front = make_front(k=20_000, m=3)
    front["vus"] = 1.5 - front["accuracy"]
    figure = pairwise_fronts(front, holdout=front)
    (border,) = lines(panel(figure, 2, 0), "on the front")
    assert len(border.get_xydata()[border.get_markevery()]) == 20_000
    (others,) = lines(panel(figure, 1, 0), "other models")
    assert len(others.get_xydata()) < 8_000


FRONT = make_front(m=3)
HOLE = FRONT.mask(FRONT["vus"] > 0.75)


@pytest.mark.parametrize(
    ("front", "others", "message"),
    [
        (FRONT.rename(columns={"vus": "auc"}), {}, "unknown column 'auc'"),
        (FRONT[["vus"]], {}, "at least two distinct columns"),
        (FRONT[["vus", "vus"]], {}, "at least two distinct columns"),
        (FRONT[:0], {}, "objectives has no rows"),
        (HOLE, {}, "objectives has a value of accuracy that is not finite"),
        (FRONT, {"holdout": HOLE}, "holdout has a value of accuracy that is not finite"),
        (FRONT, {"holdout": FRONT[:3]}, "holdout has 3 rows, but must have those"),
        (FRONT, {"holdout": FRONT[NAMES[:2]]}, "holdout must have the objectives"),
        (FRONT, {"chance": make_chance(0.5)}, "chance must have the objectives"),
        (FRONT, {"chance": make_chance(np.nan, 3)}, "chance has a value of accuracy"),
        (FRONT, {"marked": make_front(k=2)}, "marked must have the objectives"),
        ({}, {}, "has 0 fronts: from 1 to 6 can be drawn"),
        ({str(i): FRONT for i in range(7)}, {}, "has 7 fronts: from 1 to 6 can be drawn"),
        ({"a": FRONT, "b": make_front(m=2)}, {}, "objectives must have the objectives accuracy"),
        (
            {"a": FRONT, "b": FRONT},
            {"holdout": FRONT},
            "must have those of the models of one front",
        ),
    ],
)
def test_unfit_tables_are_refused(front, others, message):
    with pytest.raises(ValueError, match=message) as caught:
        pairwise_fronts(front, **others)
    assert "\n" not in str(caught.value)
