import numpy as np
from numpy.testing import assert_array_equal

from moselect.plots import pairwise_fronts
from tests.plots.conftest import NAMES, legend, lines, make_objectives

BELOW = list(zip(*np.tril_indices(3, -1), strict=True))


def panel(figure, i, j):
    m = round(len(figure.axes) ** 0.5)
    return figure.axes[i * m + j]


def texts(ax):
    return "\n".join(text.get_text() for text in ax.texts)


def front_points(ax, label):
    """Return the points of a front, without the ends at the edges of the panel."""
    (line,) = lines(ax, label)
    return np.sort(line.get_xydata()[line.get_markevery()], axis=0)


def test_every_panel_highlights_its_own_fronts(dominated):
    small = make_objectives(30, 3, seed=1)
    large = make_objectives(m=3, seed=2) + 0.05
    alone = pairwise_fronts(small)
    combined = pairwise_fronts({"small": small, "large": large[NAMES[2::-1]]})
    assert legend(combined.legends[0])[:2] == ["small (30 models)", "large (40 models)"]
    for i, j in BELOW:
        one = panel(alone, i, j)
        two = panel(combined, i, j)
        (others,) = lines(one, "other models")
        pale = [line for line in two.lines if line.get_linestyle() == "None"]
        for ax, label, front, rest in (
            (one, "Pareto front", small, others),
            (two, "small", small, pale[0]),
            (two, "large", large, pale[1]),
        ):
            values = front.to_numpy()[:, [j, i]]
            expected = values[~dominated(values, values)]
            assert_array_equal(front_points(ax, label), np.sort(expected, axis=0))
            assert len(rest.get_xydata()) == len(front) - len(expected)
    shown = texts(panel(combined, 0, 2)).replace("\N{MINUS SIGN}", "-").split("\n")
    for text, front in zip(shown, (small, large), strict=True):
        assert text == f"{front['accuracy'].corr(front['vus'], 'spearman'):+.2f}"


def test_two_objectives_have_one_panel_and_a_front_its_chance(dominated, searched):
    front = searched[0].front_
    objectives = front.objectives[["vus", "accuracy"]]
    (ax,) = pairwise_fronts(objectives, chance=front.chance).axes
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("VUS", "accuracy")
    values = objectives.to_numpy()
    expected = values[~dominated(values, values)]
    assert_array_equal(front_points(ax, "Pareto front"), np.sort(expected, axis=0))
    both = pairwise_fronts(objectives, holdout=front.holdout[["vus", "accuracy"]])
    assert len(both.axes) == 2
    whole = pairwise_fronts(front)
    assert len(whole.axes) == front.objectives.shape[1] ** 2
    assert "chance" in texts(panel(whole, 0, 0))
    given = pairwise_fronts(front.objectives[NAMES[:3]])
    assert "chance" not in texts(panel(given, 0, 0))


def test_holdout_shows_the_models_of_the_training_front(dominated):
    front = make_objectives(m=3)
    holdout = front - 0.3
    figure = pairwise_fronts(front, holdout=holdout)
    for j, i in BELOW:
        values = front.iloc[:, [j, i]]
        best = ~dominated(values, values)
        (points,) = lines(panel(figure, i, j), "the same models, out of sample")
        assert_array_equal(points.get_xydata(), holdout.to_numpy()[best][:, [j, i]])
    # held-out values do not squeeze the front
    assert panel(figure, 1, 0).get_xlim()[0] > 0.69
    assert panel(figure, 0, 1).get_xlim()[0] < 0.41
