from __future__ import annotations

import io
from dataclasses import replace

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import moselect
from moselect.decision import Costs
from moselect.plots import front_costs

CLASSES = ["low", "middle", "high"]
COSTS = np.array([[0.0, 1.0, 3.0], [2.0, 0.0, 1.0], [9.0, 5.0, 0.0]])


def make_data(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 5)), columns=list("abcde"))
    hidden = X["a"] - 0.5 * X["b"] + (0.5 + X["c"] ** 2) * rng.normal(size=n)
    return X, pd.cut(hidden, [-np.inf, -0.3, 0.8, np.inf], labels=CLASSES)


X, Y = make_data()
SEARCH = moselect.ParetoSearch(n_particles=20, n_iterations=4, random_state=0).fit(X, Y)
FRONT = SEARCH.front_


def line(ax, label):
    (found,) = [line for line in ax.lines if str(line.get_label()).startswith(label)]
    return found


def mean_cost(predicted, y=Y, costs=COSTS):
    return np.mean(
        [costs[CLASSES.index(t), CLASSES.index(p)] for t, p in zip(y, predicted, strict=True)]
    )


def least_cost(scores, y=Y, costs=COSTS):
    """Try every pair of thresholds."""
    cuts = [-np.inf, *np.unique(scores)]
    pairs = [(low, high) for low in cuts for high in cuts if low <= high]
    labels = np.array(CLASSES)
    return min(mean_cost(labels[np.searchsorted(pair, scores)], y, costs) for pair in pairs)


def slow_border(x, costs):
    points = list(zip(x, costs, strict=True))
    return sorted(
        (x, c)
        for x, c in points
        if not any(a >= x and b <= c and (a, b) != (x, c) for a, b in points)
    )


def shown(line):
    return sorted(map(tuple, line.get_xydata()))


def save(ax):
    file = io.BytesIO()
    ax.figure.savefig(file, format="png")
    assert file.getvalue().startswith(b"\x89PNG")


def test_costs_are_those_of_the_predictions():
    ax = front_costs(FRONT, X, Y, COSTS, objective="u_ovo")
    u_ovo = FRONT.objectives["u_ovo"]
    costs = [mean_cost(model.predict(X)) for model in FRONT]
    np.testing.assert_allclose(
        line(ax, "models of the front").get_xydata(), np.column_stack([u_ovo, costs])
    )
    np.testing.assert_allclose(shown(line(ax, "cheapest for")), slow_border(u_ovo, costs))
    assert len(set(costs)) > 5
    save(ax)


def test_objects_on_a_threshold_belong_to_the_class_below():
    on_scores = np.sort([model.decision_function(X[:2]) for model in FRONT])
    front = replace(FRONT, thresholds=on_scores)
    ax = front_costs(front, X, Y, COSTS)
    costs = [mean_cost(model.predict(X)) for model in front]
    np.testing.assert_allclose(line(ax, "models").get_ydata(), costs)


@pytest.mark.parametrize("priors", [None, np.array([0.2, 0.3, 0.5])])
def test_other_thresholds_are_the_best_there_are(priors):
    small, few, labels = FRONT.subset(4), X[:25], Y[:25]
    ax = front_costs(small, few, labels, Costs(cost_matrix=COSTS, priors=priors))
    in_use = COSTS
    if priors is not None:
        in_use = COSTS * (priors / labels.value_counts(normalize=True)[CLASSES].to_numpy())[:, None]
    least = [least_cost(model.decision_function(few), labels, in_use) for model in small]
    expected = slow_border(small.objectives["vus"], np.round(least, 12))
    np.testing.assert_allclose(shown(line(ax, "cheapest, thresholds")), expected)


@pytest.mark.parametrize("objective", ["accuracy", "one_minus_mae"])
def test_objectives_of_thresholds_have_no_line_of_other_thresholds(objective):
    ax = front_costs(FRONT, X, Y, objective=objective)
    assert not any("thresholds" in str(line.get_label()) for line in ax.lines)
    errors = 1.0 - FRONT.objectives["one_minus_mae"]  # what costs of 1 amount to
    np.testing.assert_allclose(line(ax, "models").get_ydata(), errors)


def test_class_costs_and_loss_make_the_matrix():
    by_class = front_costs(FRONT, X, Y, Costs([1, 2, 5], "squared"))
    by_matrix = front_costs(FRONT, X, Y, [[0.0, 1.0, 4.0], [2.0, 0.0, 2.0], [20.0, 5.0, 0.0]])
    for one, other in zip(by_class.lines, by_matrix.lines, strict=True):
        np.testing.assert_array_equal(one.get_xydata(), other.get_xydata())


def test_priors_weigh_the_classes():
    priors = [0.2, 0.3, 0.5]
    ax = front_costs(FRONT, X, Y, Costs(cost_matrix=COSTS, priors=priors))
    expected = [
        moselect.expected_cost(Y, model.predict(X), COSTS, priors=priors, labels=CLASSES)
        for model in FRONT
    ]
    np.testing.assert_allclose(line(ax, "models").get_ydata(), expected)


@pytest.mark.parametrize("priors", [None, [0.2, 0.3, 0.5]])
def test_selected_rule_is_marked_where_it_is_and_where_it_is_cross_validated(priors):
    selected = SEARCH.select(cost_matrix=COSTS, priors=priors)
    ax = front_costs(FRONT, X, Y, Costs(cost_matrix=COSTS, priors=priors), selected=selected)
    shares = Y.value_counts(normalize=True)[CLASSES].to_numpy()
    in_use = COSTS if priors is None else COSTS * (priors / shares)[:, None]
    vus = moselect.metrics.vus_score(Y, selected.decision_function(X))
    here = mean_cost(selected.predict(X), costs=in_use)
    (star,) = line(ax, "selected").get_xydata()
    np.testing.assert_allclose(star, [vus, here])
    (crossed,) = ax.containers
    evidence = selected.evidence
    outside = [
        in_use[CLASSES.index(t), CLASSES.index(p)]
        for t, p in zip(Y, evidence.predicted["selected"], strict=True)
    ]
    np.testing.assert_allclose(
        crossed.lines[0].get_xydata()[0],
        [evidence.objectives.loc["cross-validated", "vus"], np.mean(outside)],
    )
    (bar,) = crossed.lines[2][0].get_segments()
    half = np.std(outside, ddof=1) / np.sqrt(len(Y))
    np.testing.assert_allclose(bar[:, 1], [np.mean(outside) - half, np.mean(outside) + half])
    save(ax)


def test_trivial_class_is_a_line_in_sight_unless_it_is_far_above():
    distances = np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    constants = {label: mean_cost([label] * len(Y), costs=distances) for label in CLASSES}
    label = min(constants, key=constants.get)
    ax = front_costs(FRONT, X, Y)
    trivial = line(ax, f"always class {label}: {constants[label]:.3g}")
    np.testing.assert_allclose(trivial.get_ydata(), constants[label])
    models = line(ax, "models").get_ydata()
    low, high = ax.get_ylim()
    assert low < models.min()
    assert models.max() < high < constants[label]
    assert "\N{UPWARDS ARROW}" in trivial.get_label()

    ax = front_costs(FRONT, X, Y, [100, 1, 1])  # thresholds of the front are poor for these
    trivial = line(ax, "always class low")
    assert trivial.get_ydata()[0] < ax.get_ylim()[1]
    assert "\N{UPWARDS ARROW}" not in trivial.get_label()


def test_long_names_are_shortened():
    X, y = make_data()
    long = ["none", "x" * 30 + "one", "x" * 30 + "two"]
    y = y.cat.rename_categories(long)
    front = moselect.ParetoSearch(n_particles=5, n_iterations=1, random_state=0).fit(X, y).front_
    ax = front_costs(front, X, y, [0, 1, 9])
    (label,) = [t.get_text() for t in ax.get_legend().get_texts() if "always" in t.get_text()]
    assert label.startswith("always class xxxxxxxxx\N{HORIZONTAL ELLIPSIS}xxxxxxxtwo: ")


def test_given_axes_are_used_and_pyplot_and_settings_are_left_alone():
    before = dict(mpl.rcParams)
    figure = Figure()
    ax = figure.subplots(1, 2)[1]
    assert front_costs(FRONT, X, Y, ax=ax) is ax
    assert isinstance(front_costs(FRONT, X, Y).figure, Figure)
    assert plt.get_fignums() == []
    assert dict(mpl.rcParams) == before


SELECTED = SEARCH.select([1, 1, 4])
OTHER_X, OTHER_Y = make_data(seed=1)


@pytest.mark.parametrize(
    ("data", "settings", "message"),
    [
        ((X, Y), {"objective": "auc"}, "unknown objective 'auc': choose from accuracy"),
        ((X, Y), {"costs": [1, 2]}, "class_costs has shape"),
        ((X, Y), {"costs": Costs(priors=[0.5, 0.5])}, "priors"),
        ((X[list("abde")], Y), {}, "column 'c' is missing"),
        ((X, Y[:9]), {}, "X has 60 rows but y has 9 labels"),
        ((X, ["none"] * 60), {}, "unknown label none"),
        ((X[Y != "low"], Y[Y != "low"]), {}, "class low has no samples"),
        ((X, Y), {"selected": SELECTED}, "chosen for other costs"),
        ((OTHER_X, OTHER_Y), {"costs": [1, 1, 4], "selected": SELECTED}, "where selected"),
        (
            (X, Y),
            {"costs": Costs([1, 1, 4], priors=[0.1, 0.1, 0.8]), "selected": SELECTED},
            "where selected",
        ),
        (
            (X, Y),
            {
                "costs": [1, 1, 4],
                "selected": moselect.front.SelectedClassifier([1] * 5, [0, 1], CLASSES),
            },
            "selected has no evidence",
        ),
    ],
)
def test_wrong_input_is_refused(data, settings, message):
    with pytest.raises(ValueError, match=message) as caught:
        front_costs(FRONT, *data, **settings)
    assert "\n" not in str(caught.value)
