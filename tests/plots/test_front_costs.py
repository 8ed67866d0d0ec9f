from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import moselect
from moselect.decision import Costs, SelectedClassifier
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


def test_costs_are_those_of_the_predictions():
    ax = front_costs(FRONT, COSTS, objective="u_ovo")
    u_ovo = FRONT.objectives["u_ovo"]
    costs = [mean_cost(model.predict(X)) for model in FRONT]
    np.testing.assert_allclose(
        line(ax, f"all {len(FRONT)} models").get_xydata(), np.column_stack([u_ovo, costs])
    )
    np.testing.assert_allclose(shown(line(ax, "cheapest, training")), slow_border(u_ovo, costs))
    assert len(set(costs)) > 5


def test_class_costs_and_loss_make_the_matrix():
    by_class = front_costs(FRONT, Costs([1, 2, 5], "squared"))
    by_matrix = front_costs(FRONT, [[0.0, 1.0, 4.0], [2.0, 0.0, 2.0], [20.0, 5.0, 0.0]])
    for one, other in zip(by_class.lines, by_matrix.lines, strict=True):
        np.testing.assert_array_equal(one.get_xydata(), other.get_xydata())


def test_held_out_costs_are_drawn_filled():
    X, y = make_data(n=120)
    front = (
        moselect.ParetoSearch(n_particles=20, n_iterations=4, holdout=0.4, random_state=0)
        .fit(X, y)
        .front_
    )
    ax = front_costs(front, COSTS)
    vus = front.objectives["vus"].to_numpy()
    expected = np.einsum("kij,ij->k", front.holdout_confusions, COSTS) / 48
    drawn = line(ax, "cheapest, held out").get_xydata()
    for place, cost in drawn:
        assert np.isclose(expected[np.isclose(vus, place)], cost).any()
    assert len(drawn) == len(line(ax, "cheapest, training").get_xydata())


@pytest.mark.parametrize("priors", [None, [0.2, 0.3, 0.5]])
def test_selected_rule_stands_where_it_is_on_new_data_with_its_rivals(priors, texts_in_sight):
    selected = SEARCH.select(cost_matrix=COSTS, priors=priors)
    ax = front_costs(FRONT, Costs(cost_matrix=COSTS, priors=priors), selected=selected)
    shares = Y.value_counts(normalize=True)[CLASSES].to_numpy()
    in_use = COSTS if priors is None else COSTS * (priors / shares)[:, None]
    vus = moselect.metrics.vus_score(Y, selected.decision_function(X))
    here = mean_cost(selected.predict(X), costs=in_use)
    (star,) = line(ax, "selected, training").get_xydata()
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
    half = 1.959964 * np.std(outside, ddof=1) / np.sqrt(len(Y))
    np.testing.assert_allclose(bar[:, 1], [np.mean(outside) - half, np.mean(outside) + half])
    for name, cost in evidence.rules["cross-validated"].iloc[1:].items():
        np.testing.assert_allclose(line(ax, f"{name} {cost:.3g}").get_ydata(), cost)
    texts, touching = texts_in_sight(ax.figure)
    assert touching == []
    assert any(text.get_text().startswith("proportional odds ") for text in texts)


SELECTED = SEARCH.select([1, 1, 4])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"objective": "auc"}, "unknown objective 'auc': choose from accuracy"),
        ({"selected": SELECTED}, "chosen for other costs or priors"),
        (
            {"class_costs": [1, 1, 4], "priors": [0.1, 0.1, 0.8], "selected": SELECTED},
            "chosen for other costs or priors",
        ),
        (
            {
                "class_costs": [1, 1, 4],
                "selected": SelectedClassifier([1] * 5, [0, 1], CLASSES),
            },
            "selected has no evidence",
        ),
    ],
)
def test_wrong_input_is_refused(settings, message):
    drawn = {key: settings[key] for key in ("objective", "selected") if key in settings}
    costs = {key: value for key, value in settings.items() if key not in drawn}
    with pytest.raises(ValueError, match=message) as caught:
        front_costs(FRONT, Costs(**costs), **drawn)
    assert "\n" not in str(caught.value)


def test_a_front_without_confusions_is_refused():
    with pytest.raises(ValueError, match="holds no confusion matrices"):
        front_costs(replace(FRONT, confusions=None))
