from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import recall_score

import moselect
from moselect import plots
from moselect.decision import Costs, cost_sensitivity

CLASSES = ["low", "middle", "high"]
COSTS = np.array([[0.0, 1.0, 3.0], [2.0, 0.0, 1.0], [9.0, 4.0, 0.0]])
FACTORS = [0.2, 1.0, 7.0]

rng = np.random.default_rng(0)
X = pd.DataFrame(rng.normal(size=(90, 3)), columns=["a", "b", "c"])
HIDDEN = X["a"] - 0.5 * X["b"] + 0.9 * rng.normal(size=90)
Y = pd.cut(HIDDEN, [-9, -0.3, 0.8, 9], labels=CLASSES)
# Without fronts of folds no direction of the front comes into what is selected.
SEARCH = moselect.ParetoSearch(n_particles=10, n_iterations=2, cv=None, random_state=0).fit(X, Y)


def cost_curve(X, y, label, class_costs=None, loss="absolute", *, ax=None, **settings):
    factors = {"factors": settings.pop("factors")} if "factors" in settings else {}
    costs = Costs(class_costs, loss, **settings)
    return plots.cost_curve(cost_sensitivity(X, y, label, costs, **factors), ax=ax)


def lines(ax):
    return {line.get_label(): line.get_xydata() for line in ax.lines[:5]}


@pytest.mark.parametrize("priors", [None, [0.2, 0.3, 0.5]])
def test_lines_follow_the_rules_selected_for_each_factor(priors):
    ax = cost_curve(X, Y, "high", cost_matrix=COSTS, factors=FACTORS, priors=priors)
    drawn = lines(ax)
    for i, factor in enumerate(FACTORS):
        costs = COSTS * [[1.0], [1.0], [factor]]
        evidence = SEARCH.select(cost_matrix=costs, priors=priors).evidence
        predicted, trivial = evidence.predicted["selected"], evidence.predicted["always one class"]
        recalls = recall_score(Y, predicted, labels=CLASSES, average=None)
        for name, recall in zip(CLASSES, recalls, strict=True):
            np.testing.assert_allclose(drawn[f"class {name}"][i], [factor, recall])
        weight = np.ones(90)
        if priors is not None:
            weight = np.array([priors[c] / (Y.cat.codes == c).sum() for c in Y.cat.codes])
        share = np.average(predicted == "high", weights=weight)
        np.testing.assert_allclose(drawn["predicted as high"][i], [factor, share])
        paid = [
            moselect.expected_cost(Y, rule, costs, priors=priors, labels=CLASSES)
            for rule in (predicted, trivial)
        ]
        np.testing.assert_allclose(drawn["cost / trivial cost"][i], [factor, paid[0] / paid[1]])
    assert drawn["class high"][2, 1] > drawn["class high"][0, 1]


def test_the_trivial_class_is_cross_validated_too():
    # One more of the middle class than of the lowest: in one fold that is left out, or not.
    codes = np.searchsorted([30, 61], HIDDEN.argsort().argsort(), side="right")
    thirds = pd.Categorical.from_codes(codes, CLASSES, ordered=True)
    factors = [1.0, 1.03]
    ax = cost_curve(X, thirds, "high", loss="zero_one", factors=factors)
    selector = SEARCH.selector(SEARCH.front_, X, thirds)
    for (factor, share), f in zip(lines(ax)["cost / trivial cost"], factors, strict=True):
        evidence = selector.for_costs(Costs([1, 1, f], "zero_one")).evidence
        if f == 1.0:
            assert evidence.predicted["always one class"].nunique() > 1
        paid = evidence.rules["cross-validated"]
        np.testing.assert_allclose(
            [factor, share], [f, paid["selected"] / paid["always one class"]]
        )


def test_factors_are_thirteen_from_a_tenth_to_ten():
    ax = cost_curve(X, Y, "low")
    assert ax.get_xscale() == "log"
    assert ax.get_xlim() == (0.1, 10.0)
    factors = lines(ax)["class low"][:, 0]
    np.testing.assert_allclose(np.diff(np.log10(factors)), 1 / 6)
    assert len(factors) == 13


@pytest.mark.parametrize(
    ("label", "settings", "message"),
    [
        ("huge", {}, "unknown label huge: the classes are low, middle, high"),
        ("high", {"factors": [1]}, "at least two positive ascending"),
        ("high", {"factors": [2, 1]}, "at least two positive ascending"),
        ("high", {"class_costs": [1, 1, 0]}, "mistakes on class high cost nothing"),
        ("high", {"class_costs": [0, 0, 1]}, "for all samples at no cost"),
    ],
)
def test_wrong_input_is_refused(label, settings, message):
    with pytest.raises(ValueError, match=message) as caught:
        cost_curve(X, Y, label, **settings)
    assert "\n" not in str(caught.value)
