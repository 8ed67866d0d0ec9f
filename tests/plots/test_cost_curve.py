from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import recall_score

import moselect
from moselect.decision import Costs, Decision, cost_sensitivity
from moselect.decision.goal import Goal
from moselect.decision.kinds import KindMaker
from moselect.plots import cost_curve
from moselect.samples import Samples
from tests.plots.conftest import CLASSES

COSTS = np.array([[0.0, 1.0, 3.0], [2.0, 0.0, 1.0], [9.0, 4.0, 0.0]])
FACTORS = [0.2, 1.0, 7.0]


@pytest.mark.parametrize("priors", [None, [0.2, 0.3, 0.5]])
def test_lines_follow_the_plug_in_rule_of_each_factor(searched, priors):
    _, X, y = searched
    costs = Costs(cost_matrix=COSTS, priors=priors)
    ax = cost_curve(cost_sensitivity(X, y, "high", costs, factors=FACTORS))
    drawn = {line.get_label(): line.get_xydata() for line in ax.lines[:5]}
    samples = Samples.from_table(X, y)
    decision = Decision(samples, KindMaker(samples.X, random_state=0))
    proba = decision.fits("curves", Goal(COSTS)).new_data.proba
    shares = samples.class_counts / len(y)
    weight = (shares if priors is None else priors) / shares
    for i, factor in enumerate(FACTORS):
        dearer = COSTS * [[1.0], [1.0], [factor]]
        predicted = samples.classes[(proba @ (dearer * weight[:, None])).argmin(axis=1)]
        recalls = recall_score(y, predicted, labels=CLASSES, average=None)
        for name, recall in zip(CLASSES, recalls, strict=True):
            np.testing.assert_allclose(drawn[f"class {name}"][i], [factor, recall])
        share = np.average(predicted == "high", weights=weight[samples.codes])
        np.testing.assert_allclose(drawn["predicted as high"][i], [factor, share])
        paid, *trivial = (
            moselect.expected_cost(y, rule, dearer, priors=priors, labels=CLASSES)
            for rule in (predicted, *([name] * len(y) for name in CLASSES))
        )
        np.testing.assert_allclose(drawn["cost / trivial cost"][i], [factor, paid / min(trivial)])
    assert drawn["class high"][2, 1] > drawn["class high"][0, 1]


@pytest.mark.parametrize(
    ("label", "costs", "factors", "message"),
    [
        ("huge", None, [1, 2], "unknown label huge: the classes are low, middle, high"),
        ("high", None, [2, 1], "must be positive and ascending"),
        ("high", [1, 1, 0], [1, 2], "mistakes on class high cost nothing"),
        ("high", [0, 0, 1], [1, 2], "for all samples at no cost"),
    ],
)
def test_wrong_input_is_refused(searched, label, costs, factors, message):
    _, X, y = searched
    with pytest.raises(ValueError, match=message) as caught:
        cost_sensitivity(X, y, label, costs, factors=factors)
    assert "\n" not in str(caught.value)
