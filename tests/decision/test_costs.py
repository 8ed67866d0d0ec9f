from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect._validation import check_cost_matrix
from moselect.decision import cost_matrix, resolve_costs

LOSSES = {
    "absolute": lambda y, k: abs(y - k),
    "squared": lambda y, k: (y - k) ** 2,
    "zero_one": lambda y, k: int(y != k),
}


@pytest.mark.parametrize("loss", LOSSES)
@given(st.lists(st.floats(0, 1e6), min_size=2, max_size=7).filter(any))
def test_rows_are_true_classes_and_columns_predicted_ones(loss, class_costs):
    classes = range(len(class_costs))
    expected = [[class_costs[y] * LOSSES[loss](y, k) for k in classes] for y in classes]
    np.testing.assert_array_equal(cost_matrix(class_costs, loss), expected)


def test_the_usual_loss_is_absolute():
    assert cost_matrix([1, 0, 2]).tolist() == [[0, 1, 2], [0, 0, 0], [4, 2, 0]]


@pytest.mark.parametrize(
    ("class_costs", "message"),
    [
        ([1.0, -0.5], "costs must not be negative, but there is -0.5"),
        ([1.0, np.nan], "costs must be finite numbers"),
        ([1.0, np.inf], "costs must be finite numbers"),
        ([0.0, 0.0, 0.0], "all costs are 0: every model would be best"),
        ([1.0], r"class_costs has shape \(1,\): give one cost a class, at least 2"),
        ([], r"class_costs has shape \(0,\)"),
        (3.0, r"class_costs has shape \(\)"),
        ([[1.0, 2.0], [3.0, 4.0]], r"class_costs has shape \(2, 2\)"),
    ],
)
def test_impossible_class_costs_are_refused(class_costs, message):
    with pytest.raises(ValueError, match=message):
        cost_matrix(class_costs)


def test_an_unknown_loss_is_refused_and_the_known_ones_are_named():
    with pytest.raises(ValueError, match=r"unknown loss 'hinge'.*absolute, squared, zero_one"):
        cost_matrix([1, 1], "hinge")


@pytest.mark.parametrize("convert", [list, np.array, pd.DataFrame])
def test_a_possible_cost_matrix_comes_back_as_floats(convert):
    costs = check_cost_matrix(convert([[0, 2], [5, 1]]), 2)
    assert costs.dtype == np.float64
    assert costs.tolist() == [[0.0, 2.0], [5.0, 1.0]]


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[0, 1], [1, 0]], r"has shape \(2, 2\), but 3 classes need \(3, 3\)"),
        (np.ones((3, 2)), r"has shape \(3, 2\), but 3 classes"),
        (np.ones(9), r"has shape \(9,\), but 3 classes"),
        ([[0, 1, 1], [1, 0, 1], [1, np.nan, 0]], "there is a NaN or infinity"),
        ([[0, 1, 1], [1, 0, 1], [1, np.inf, 0]], "there is a NaN or infinity"),
        ([[0, 1, 1], [1, -2, 1], [1, 1, -1]], "must not be negative, but there is -2"),
        (np.zeros((3, 3)), "all costs are 0: every model would be best"),
    ],
)
def test_impossible_cost_matrices_are_refused(matrix, message):
    with pytest.raises(ValueError, match=message):
        check_cost_matrix(matrix, 3)
    with pytest.raises(ValueError, match=message):
        resolve_costs(3, None, "absolute", matrix)


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        ("absolute", [[0, 1, 2], [2, 0, 2], [6, 3, 0]]),
        ("squared", [[0, 1, 4], [2, 0, 2], [12, 3, 0]]),
        ("zero_one", [[0, 1, 1], [2, 0, 2], [3, 3, 0]]),
    ],
)
def test_class_costs_resolve_by_their_loss(loss, expected):
    assert resolve_costs(3, [1, 2, 3], loss, None).tolist() == expected


def test_a_cost_matrix_resolves_to_itself():
    matrix = [[0.5, 1, 2], [3, 0, 4], [5, 6, 0]]
    assert resolve_costs(3, None, "squared", matrix).tolist() == matrix


@pytest.mark.parametrize("given_costs", [(None, None), ([1, 1], [[0, 1], [1, 0]])])
def test_exactly_one_description_of_costs_is_needed(given_costs):
    class_costs, matrix = given_costs
    with pytest.raises(ValueError, match="give either class_costs or cost_matrix"):
        resolve_costs(2, class_costs, "absolute", matrix)


@pytest.mark.parametrize(
    ("class_costs", "message"),
    [
        ([1, 1], r"class_costs has shape \(2,\), but there are 3 classes"),
        ([1, 1, 1, 1], r"class_costs has shape \(4,\), but there are 3 classes"),
        (1.0, r"class_costs has shape \(\), but there are 3 classes"),
        ([1, -1, 1], "costs must not be negative"),
        ([0, 0, 0], "all costs are 0"),
    ],
)
def test_class_costs_that_do_not_fit_are_refused(class_costs, message):
    with pytest.raises(ValueError, match=message):
        resolve_costs(3, class_costs, "absolute", None)


def test_class_costs_with_an_unknown_loss_do_not_resolve():
    with pytest.raises(ValueError, match="unknown loss"):
        resolve_costs(2, [1, 1], "cubic", None)


def test_inputs_are_not_changed():
    class_costs, matrix = np.array([1.0, 2.0]), np.array([[0.0, 1.0], [2.0, 0.0]])
    cost_matrix(class_costs)[:] = 9.0
    resolve_costs(2, class_costs, "squared", None)
    resolve_costs(2, None, "squared", matrix)
    assert class_costs.tolist() == [1.0, 2.0]
    assert matrix.tolist() == [[0.0, 1.0], [2.0, 0.0]]
