"""What the models of a front predict, and what that costs on the training data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from moselect import ParetoSearch
from moselect.decision import Costs
from moselect.front import Front
from moselect.metrics import expected_cost
from moselect.pymoo_adapter import OrdinalProblem

SMALL = {"n_particles": 15, "n_iterations": 4, "cv": None, "random_state": 2}
COSTS = st.lists(st.sampled_from([0.0, 0.1, 0.3, 1.0, 2.5, 7.0]), min_size=5, max_size=5)
LOSSES = st.sampled_from(["absolute", "squared", "zero_one"])


def predicted(front, X, y):
    classes = front.classes.tolist()
    return [confusion_matrix(y, model.predict(X), labels=classes) for model in front]


@pytest.fixture(scope="module")
def front(boston):
    return ParetoSearch(**SMALL).fit(*boston).front_


@pytest.mark.parametrize(("thresholds", "n_jobs"), [("exact", 2), ("search", 1)])
def test_confusions_are_those_of_the_predictions(boston, thresholds, n_jobs):
    front = ParetoSearch(**SMALL, thresholds=thresholds, n_jobs=n_jobs).fit(*boston).front_
    np.testing.assert_array_equal(front.confusions, predicted(front, *boston))


@pytest.mark.parametrize("r", [2, 3, 6])
def test_confusions_with_ties_and_repeated_rows(awkward, r):
    X, y = awkward(7, r)
    with pytest.warns(UserWarning, match="constant"):
        front = ParetoSearch(**SMALL).fit(X, y).front_
    np.testing.assert_array_equal(front.confusions, predicted(front, X, y))


def test_held_out_rows_have_confusions_of_their_own(boston):
    X, y = boston
    front = ParetoSearch(**SMALL, holdout=0.3).fit(X, y).front_
    both = front.confusions + front.holdout_confusions
    np.testing.assert_array_equal(both, predicted(front, X, y))
    shares = front.holdout_confusions.trace(axis1=1, axis2=2) / front.holdout_confusions[0].sum()
    np.testing.assert_allclose(shares, front.holdout["accuracy"], rtol=1e-12)


def test_a_front_of_pymoo_has_confusions(boston):
    problem = OrdinalProblem(*boston)
    front = problem.front(
        np.random.default_rng(0).uniform(problem.xl, problem.xu, (20, len(problem.xl)))
    )
    np.testing.assert_array_equal(front.confusions, predicted(front, *boston))


def test_costs_without_any_given_are_ranks_off(front):
    np.testing.assert_allclose(
        front.training_costs(), 1.0 - front.objectives["one_minus_mae"], rtol=1e-12
    )
    np.testing.assert_allclose(
        front.training_costs(Costs(loss="zero_one")), 1.0 - front.objectives["accuracy"], rtol=1e-12
    )


@given(costs=COSTS.filter(any), loss=LOSSES, priors=st.booleans())
@settings(max_examples=15)
def test_costs_are_those_of_the_metric(boston, front, costs, loss, priors):
    X, y = boston
    shares = [0.5, 0.2, 0.1, 0.1, 0.1] if priors else None
    found = front.training_costs(Costs(costs, loss, priors=shares))
    assert found.shape == (len(front),)
    distance = np.abs(np.subtract.outer(range(5), range(5)))
    power = {"absolute": distance, "squared": distance**2, "zero_one": distance > 0}[loss]
    matrix = np.array(costs)[:, None] * power
    same = front.training_costs(Costs(cost_matrix=matrix, priors=shares))
    np.testing.assert_array_equal(found, same)
    if not priors:
        np.testing.assert_array_equal(found, front.training_costs(matrix))
    for i in (0, len(front) // 2, len(front) - 1):
        paid = expected_cost(y, front[i].predict(X), matrix, priors=shares)
        assert found[i] == pytest.approx(paid, rel=1e-12)
    cheapest = front.cheapest(Costs(costs, loss, priors=shares))
    assert cheapest == found.tolist().index(min(found))


def make(confusions):
    k = len(confusions)
    return Front(
        objectives=pd.DataFrame({"accuracy": np.zeros(k), "vus": np.zeros(k)}),
        weights=np.ones((k, 1)),
        thresholds=np.zeros((k, 1)),
        classes=np.array(["no", "yes"]),
        feature_names=None,
        chance=pd.Series({"accuracy": 0.5, "vus": 0.5}),
        confusions=confusions,
    )


def test_of_equally_cheap_models_the_first_is_taken():
    counts = np.array([[[3, 1], [2, 4]], [[4, 0], [3, 3]], [[1, 3], [0, 6]], [[4, 0], [3, 3]]])
    assert make(counts).cheapest() == 0  # 3 mistakes each
    assert make(counts).cheapest([5, 1]) == 1  # 3 for the second and the fourth
    assert make(counts).cheapest([1, 5]) == 2
    # "no" is nine in ten of the samples in use, and four in ten of these
    assert make(counts).cheapest(Costs([1, 5], priors=[0.9, 0.1])) == 1


def test_a_front_without_confusion_matrices_has_no_costs():
    front = replace(make(np.ones((2, 2, 2), dtype=int)), confusions=None)
    with pytest.raises(ValueError, match="holds no confusion matrices: search it anew"):
        front.cheapest([1, 1])
