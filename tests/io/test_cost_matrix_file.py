import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from moselect.io import read_cost_matrix

CLASSES = ["low", "mid", "high"]
COSTS = np.array([[0.0, 1.0, 2.5], [3.0, 0.0, 4.0], [5.0, 6.0, 0.0]])
DE = "true;low;mid;high\nlow;0;1;2,5\nmid;3;0;4\nhigh;5;6;0\n"


@pytest.mark.parametrize(
    "content",
    [
        b"0,1,2.5\n3,0,4\n5,6,0\n",
        b"0\t1\t2,5\n3\t0\t4\n5\t6\t0\n",
        b",high,low,mid\nmid,4,3,0\nhigh,0,5,6\nlow,2.5,0,1\n",
        DE.encode("utf-16"),
        DE.replace("low", "Low").encode(),
    ],
)
def test_forms_that_spreadsheets_save(tmp_path, content):
    (tmp_path / "c.csv").write_bytes(content)
    assert_array_equal(read_cost_matrix(tmp_path / "c.csv", CLASSES), COSTS)


def test_labels_with_a_minus_of_any_form(write):
    path = write(",1-,\N{MINUS SIGN}2,0\n0,6,5,0\n\N{MINUS SIGN}2,1,0,2.5\n-1,0,3,4\n")
    for classes in ([-2, -1, 0], ["\N{MINUS SIGN}2", "1-", "0"]):
        assert_array_equal(read_cost_matrix(path, classes), COSTS)


@pytest.mark.parametrize("labels", [False, True])
def test_workbooks(tmp_path, labels):
    table = pd.DataFrame(COSTS, CLASSES, CLASSES)
    if labels:
        table = table.loc[["mid", "high", "low"]]
    table.to_excel(tmp_path / "c.xlsx", header=labels, index=labels)
    assert_array_equal(read_cost_matrix(tmp_path / "c.xlsx", CLASSES), COSTS)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "0,1,2\n3,0,x y\n5,6,0\n",
            "of class 'mid' predicted as 'high' is 'x y', neither",
        ),
        (
            ",low,mid,top\nlow,0,1,2\nmid,3,0,4\nhigh,5,6,0\n",
            "each class once: low, mid, high",
        ),
    ],
)
def test_invalid_cost_matrices_are_refused(write, content, message):
    # in one line
    message = rf"table\.csv' is not a valid cost matrix.*{message}[^\n]*$"
    with pytest.raises(ValueError, match=message):
        read_cost_matrix(write(content), CLASSES)


def test_costs_of_correct_predictions_give_a_warning(write):
    with pytest.warns(UserWarning, match=r"costs of being right \(class mid\)"):
        read_cost_matrix(write("0,1,2\n3,1,4\n5,6,0\n"), CLASSES)


def test_gains_are_relative_to_the_best_prediction(write):
    """A benefit of 20 for finding a high case: the same decisions as costs from 0."""
    with pytest.warns(UserWarning, match="least cost of each true class is subtracted"):
        found = read_cost_matrix(write("0,1,2\n2,0,2\n10,5,-20\n"), CLASSES)
    assert found.tolist() == [[0, 1, 2], [2, 0, 2], [30, 25, 0]]
    with pytest.raises(ValueError, match="change their signs"):
        read_cost_matrix(write("0,-1,-2\n-2,0,-2\n-10,-5,0\n"), CLASSES)
