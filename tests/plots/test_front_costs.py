from __future__ import annotations

import numpy as np
import pytest

import moselect
from moselect.decision import Costs
from moselect.plots import front_costs
from tests.plots.conftest import CLASSES, lines, slow_nondominated, texts_in_sight

COSTS = np.array([[0.0, 1.0, 3.0], [2.0, 0.0, 1.0], [9.0, 5.0, 0.0]])


def line(ax, label):
    (found,) = lines(ax, label)
    return found.get_xydata()


def paid(y, predicted, costs=COSTS):
    rows, columns = ([CLASSES.index(label) for label in labels] for labels in (y, predicted))
    return costs[rows, columns]


def test_costs_are_those_of_the_predictions(searched):
    search, X, y = searched
    front, trained = search.front_, np.delete(np.arange(len(X)), search.holdout_rows_)
    ax = front_costs(front, COSTS, objective="u_ovo")
    u_ovo = front.objectives["u_ovo"]
    costs, held_out = (
        [paid(y[rows], model.predict(X.iloc[rows])).mean() for model in front]
        for rows in (trained, search.holdout_rows_)
    )
    np.testing.assert_allclose(
        line(ax, f"all {len(front)} models"), np.column_stack([u_ovo, costs])
    )
    best = slow_nondominated(u_ovo, np.negative(costs))
    for label, values in (("cheapest, training", costs), ("cheapest, held out", held_out)):
        expected = np.column_stack([u_ovo, values])[best]
        np.testing.assert_allclose(sorted(line(ax, label).tolist()), sorted(expected.tolist()))
    assert 1 < sum(best) < len(front)


def test_class_costs_and_loss_make_the_matrix(searched):
    by_class = front_costs(searched[0].front_, Costs([1, 2, 5], "squared"))
    matrix = [[0.0, 1.0, 4.0], [2.0, 0.0, 2.0], [20.0, 5.0, 0.0]]
    by_matrix = front_costs(searched[0].front_, matrix)
    for one, other in zip(by_class.lines, by_matrix.lines, strict=True):
        np.testing.assert_array_equal(one.get_xydata(), other.get_xydata())


@pytest.mark.parametrize("priors", [None, [0.2, 0.3, 0.5]])
def test_selected_rule_stands_where_it_is_on_new_data_with_its_rivals(searched, priors):
    search, X, y = searched
    rows = np.delete(np.arange(len(X)), search.holdout_rows_)
    X, y = X.iloc[rows], y.iloc[rows]
    selected = search.select(cost_matrix=COSTS, priors=priors, kind="linear")
    evidence = selected.evidence
    ax = front_costs(search.front_, Costs(cost_matrix=COSTS, priors=priors), selected=selected)
    shares = y.value_counts(normalize=True)[CLASSES].to_numpy()
    in_use = COSTS if priors is None else COSTS * (priors / shares)[:, None]
    vus = moselect.metrics.vus_score(y, selected.decision_function(X))
    here = paid(y, selected.predict(X), in_use).mean()
    np.testing.assert_allclose(line(ax, "selected, training"), [[vus, here]])
    (crossed,) = ax.containers
    outside = paid(y, evidence.predicted["linear"], in_use)
    np.testing.assert_allclose(
        crossed.lines[0].get_xydata()[0],
        [evidence.objectives.loc["new data", "vus"], outside.mean()],
    )
    (bar,) = crossed.lines[2][0].get_segments()
    half = 1.959964 * outside.std(ddof=1) / np.sqrt(len(y))
    np.testing.assert_allclose(bar[:, 1], [outside.mean() - half, outside.mean() + half])
    rivals = evidence.rules["new data"].drop("linear").dropna()
    assert {"proportional odds", "always one class"} <= set(rivals.index)
    for name, cost in rivals.items():
        np.testing.assert_allclose(line(ax, f"{name} {cost:.3g}")[:, 1], cost)
    texts, touching = texts_in_sight(ax.figure)
    assert touching == []
    assert any(text.get_text().startswith("proportional odds ") for text in texts)
