"""Costs and preferences resolved to decision losses."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_array_equal

from moselect.costs import Costs, cost_matrix
from moselect.costs.criteria import (
    preference_loss,
    preference_weights,
    resolve,
    row_costs_of,
)
from moselect.metrics import (
    OBJECTIVES,
    accuracy_score,
    expected_cost,
    mean_absolute_error,
    ranking_scores,
)
from moselect.metrics.objectives import DEFAULT
from tests.without_features import samples_of

LOSSES = {
    "absolute": lambda y, k: abs(y - k),
    "squared": lambda y, k: (y - k) ** 2,
    "zero_one": lambda y, k: y != k,
}


@pytest.mark.parametrize("loss", LOSSES)
@given(
    st.lists(st.floats(0, 1e6), min_size=2, max_size=7).filter(lambda c: max(c) > 1e-150)
)
def test_rows_are_true_classes_and_columns_predicted_ones(loss, class_costs):
    classes = range(len(class_costs))
    expected = [[class_costs[y] * LOSSES[loss](y, k) for k in classes] for y in classes]
    assert_array_equal(cost_matrix(class_costs, loss), expected)


@pytest.mark.parametrize(
    ("class_costs", "message"),
    [
        ([1.0, -0.5], "costs must be finite numbers of at least 0"),
        ([1.0, np.nan], "costs must be finite numbers"),
        ([0.0, 0.0, 0.0], "the costs do not differ by prediction: every"),
    ],
)
def test_impossible_class_costs_are_refused(class_costs, message):
    with pytest.raises(ValueError, match=message):
        cost_matrix(class_costs)


@pytest.mark.parametrize(
    ("given", "counts", "message"),
    [
        (
            {"cost_matrix": [[0, 1], [1, 0]]},
            [5, 5, 5],
            r"has shape \(2, 2\), but 3 classes need \(3, 3\)",
        ),
        (
            {"priors": [0.5, 0.4, 0.0]},
            [5, 5, 5],
            "priors must be at least 0 and sum to 1",
        ),
        ({}, [5, 5, 0], "a rule for given costs needs .* class 3 has none"),
    ],
)
def test_costs_that_do_not_fit_the_classes_are_refused(given, counts, message):
    with pytest.raises(ValueError, match=message):
        resolve(Costs(**given), [1, 2, 3], counts)


def test_the_cost_of_one_class_changes_alone():
    changed = Costs([1.0, 2.0, 5.0]).with_class_cost(2, 1.5, 3)
    assert_array_equal(changed.matrix(3), cost_matrix([1.0, 2.0, 7.5]))
    table = pd.DataFrame({"amount": [2.0, 3.0]})
    by_row = Costs(cost_matrix=[[0, "amount + 1"], [4, 0]]).with_class_cost(0, 0.5, 2)
    costs = row_costs_of(by_row, np.array([1, 2]))(table)
    assert_array_equal(costs, [[[0, 1.5], [4, 0]], [[0, 2.0], [4, 0]]])


COUNTS = np.array([5, 11, 4])


@given(
    hnp.arrays(float, (3, 3), elements=st.floats(0.125, 100.0)),
    hnp.arrays(float, 3, elements=st.floats(0.01, 1.0)),
    st.integers(0, 2**32 - 1),
)
def test_mean_costs_under_priors_equal_expected_cost(positive, weights, seed):
    matrix = positive * (1 - np.eye(3))
    y = np.repeat([0, 1, 2], COUNTS)
    predicted = np.random.default_rng(seed).integers(0, 3, COUNTS.sum())
    priors = weights / weights.sum()
    expected = expected_cost(y, predicted, matrix, priors=priors, labels=[0, 1, 2])
    costs = resolve(Costs(cost_matrix=matrix, priors=priors), list("abc"), COUNTS)
    assert costs.in_use[y, predicted].mean() == pytest.approx(expected, rel=1e-12)
    assert_array_equal(costs.matrix, matrix)  # unchanged


def test_labels_of_costs_may_be_text_as_pandas_reads_them():
    read = pd.DataFrame(cost_matrix([1, 2, 5]), [1, 2, 3], ["3", "2", "1"])
    assert Costs(cost_matrix=read).in_order([1, 2, 3]).cost_matrix[0, 2] == 0.0


TWO = (DEFAULT[0], DEFAULT[2])


def test_weights_add_up_and_default_to_equal_ones():
    weights = preference_weights({"vus": 2, "accuracy": 1}, DEFAULT)
    assert weights["vus"] == pytest.approx(2 / 3)
    assert set(preference_weights(None, TWO).values()) == {0.5}


@pytest.mark.parametrize(
    ("preferences", "message"),
    [({"vus": -1}, "weight of 'vus' is -1"), ({"vus": 0}, "all preferences are 0")],
)
def test_wrong_preferences_are_named(preferences, message):
    with pytest.raises(ValueError, match=message):
        preference_weights(preferences, TWO)


def test_the_utility_is_the_weighted_gain_in_units_of_the_best(rng):
    codes = rng.permutation(np.repeat(np.arange(4), 10))
    scores = codes + rng.normal(size=40)
    predicted = np.clip(np.rint(scores), 0, 3).astype(int)
    gains = dict(zip(OBJECTIVES, [0.4, 0.6, 0.5, 0.3, 0.35, 0.3], strict=True))
    weights = dict(zip(OBJECTIVES, [0.1, 0.2, 0.3, 0.1, 0.2, 0.1], strict=True))
    costs = preference_loss(weights, gains, DEFAULT, np.bincount(codes))
    samples = samples_of(codes, np.arange(4))
    loss, _ = costs.loss.estimate(costs.cells, samples, predicted, scores)
    objectives = [
        accuracy_score(codes, predicted),
        1.0 - mean_absolute_error(codes, predicted),
        *ranking_scores(codes, scores),
    ]
    ratios = [weights[name] / gains[name] for name in OBJECTIVES]
    assert loss == pytest.approx(np.dot(ratios, 1.0 - np.array(objectives)))
