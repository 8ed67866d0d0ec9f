"""What the models of a front predict, and what that costs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from moselect import ParetoSearch
from moselect.decision import Costs
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
    front = (
        ParetoSearch(**SMALL, thresholds=thresholds, n_jobs=n_jobs).fit(*boston).front_
    )
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
    shares = (
        front.holdout_confusions.trace(axis1=1, axis2=2)
        / front.holdout_confusions[0].sum()
    )
    np.testing.assert_allclose(shares, front.holdout["accuracy"], rtol=1e-12)


def test_a_front_of_pymoo_has_confusions(boston):
    problem = OrdinalProblem(*boston)
    front = problem.front(
        np.random.default_rng(0).uniform(problem.xl, problem.xu, (20, len(problem.xl)))
    )
    np.testing.assert_array_equal(front.confusions, predicted(front, *boston))


@given(costs=COSTS.filter(any), loss=LOSSES, priors=st.booleans())
@settings(max_examples=15)
def test_costs_in_use_are_those_of_the_metric(boston, front, costs, loss, priors):
    X, y = boston
    shares = [0.5, 0.2, 0.1, 0.1, 0.1] if priors else None
    distance = np.abs(np.subtract.outer(range(5), range(5)))
    power = {"absolute": distance, "squared": distance**2, "zero_one": distance > 0}[loss]
    matrix = np.array(costs)[:, None] * power
    counts = y.value_counts().sort_index()
    stated = Costs(costs, loss, priors=shares).resolve(front.classes, counts)
    np.testing.assert_allclose(stated.matrix, matrix)
    for i in (0, len(front) // 2, len(front) - 1):
        paid = expected_cost(y, front[i].predict(X), matrix, priors=shares)
        found = (front.confusions[i] * stated.in_use).sum() / len(y)
        assert found == pytest.approx(paid, rel=1e-12)
