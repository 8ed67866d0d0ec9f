"""Labels of every type become the same class codes."""

from decimal import Decimal
from functools import partial

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from moselect.labels.labels import class_labels, encode, encode_labels, order_is_guessed
from moselect.metrics import expected_cost, mean_absolute_error
from moselect.samples.training import ordinal_target

ordered = partial(pd.Categorical, ordered=True)
CODES = np.array([2, 0, 1, 2])
WORDS = np.array(["low", "mid", "high"])
FORMS = {
    "list": ([30, 10, 20, 30], None),
    "int8": (np.array([127, -128, 0, 127], dtype=np.int8), None),
    "floats": (np.array([0.5, -1.5, 0.0, 0.5]), None),
    "Series": (pd.Series([3, 1, 2, 3], index=[9, 8, 7, 6]), None),
    "nullable": (pd.Series([3, 1, 2, 3], dtype="Int64"), None),
    "unordered categories": (pd.Categorical([3, 1, 2, 3]), None),
    "given order": ([1, 3, 2, 1], [3, 2, 1]),
    "decimals": (
        pd.Series([Decimal("1.5"), Decimal("0.5"), Decimal("1"), Decimal("1.5")]),
        None,
    ),
    "intervals": (pd.cut([0.9, 0.1, 0.5, 0.8], [0.0, 0.3, 0.6, 1.0]), None),
    "words": (WORDS[CODES], WORDS),
    "category Series": (pd.Series(ordered(WORDS[CODES], ["none", *WORDS])), None),
    "categories reordered": (ordered(WORDS[CODES], WORDS[::-1]), WORDS),
}


@pytest.mark.parametrize("form", FORMS)
def test_encoding(form):
    y, labels = FORMS[form]
    classes, codes = encode(y, labels)
    assert_array_equal(codes, CODES)
    assert codes.dtype == np.int64
    assert classes.tolist() == [list(y)[i] for i in (1, 2, 0)]
    assert_array_equal(class_labels(y, labels), classes)
    assert_array_equal(encode_labels(y, classes), CODES)


def test_missing_labels_are_located():
    for y in ([1.0, np.nan], ["a", None], pd.Series([1, None], dtype="Int64")):
        with pytest.raises(
            ValueError, match=r"1 of 2 labels are missing .*at position 1"
        ):
            class_labels(y)
    with pytest.raises(ValueError, match="at position 1"):
        encode(ordered(["a", None], ["a"]))


def test_unknown_labels_are_located():
    words = (["a", "c", "b"], ["a", "b"])
    for y, classes in (([1, 2, 9], [1, 2]), words, ([1, 1.5], [1, 2])):
        with pytest.raises(ValueError, match=r"unknown label .*first at position [12]"):
            encode_labels(y, np.array(classes))


def test_the_order_of_a_known_scale_is_reported():
    with pytest.warns(UserWarning, match=r"usual order, lowest first: F, C, B "):
        assert class_labels(["B", "F", "C"]).tolist() == ["F", "C", "B"]
    with pytest.warns(UserWarning, match="poor, fair, good"):  # also for predictions
        assert mean_absolute_error(["poor", "good"], ["fair", "fair"]) == 1.0


def test_costs_by_position_need_an_order():
    y = ["B", "C", "F"]
    costs = np.array([[0, 1, 4], [2, 0, 1], [8, 2, 0]])
    named = pd.DataFrame(costs, y, y)
    with (
        pytest.warns(UserWarning, match="F, C, B"),
        pytest.raises(ValueError, match=r"cost_matrix .* labels=\['F', 'C', 'B'\]"),
    ):
        expected_cost(y, ["C", "C", "B"], costs)
    assert expected_cost(y, ["C", "C", "B"], costs, labels=y) == 3.0  # (1 + 0 + 8) / 3
    with pytest.warns(UserWarning, match="F, C, B"):
        assert expected_cost(y, ["C", "C", "B"], named) == 3.0


def test_unused_categories_are_named():
    y = ordered(["b", "a"], ["a", "b", "c"])
    with pytest.warns(UserWarning, match="no sample has the category c of y"):
        assert ordinal_target(y, None)[0].tolist() == ["a", "b"]


def test_an_enum_of_polars_has_its_order():
    polars = pytest.importorskip("polars")
    y = polars.Series(["a", "b", "zero"], dtype=polars.Enum(["b", "zero", "a"]))
    assert class_labels(y).tolist() == ["b", "zero", "a"]
    assert encode(y)[1].tolist() == [2, 0, 1]
    assert not order_is_guessed(y)


def test_continuous_targets_are_refused_in_one_line():
    for y in ([0.1, 0.25, 0.71], np.arange(23) / 2):
        with pytest.raises(ValueError, match=r"y is continuous .*labels="):
            ordinal_target(y, None)
        with pytest.raises(ValueError, match=r"y is continuous"):
            mean_absolute_error(y, y)
    assert ordinal_target([2.5, 1.0, 1.5], None)[1].tolist() == [2, 0, 1]


@pytest.mark.parametrize(
    "y",
    [
        pd.Categorical(["b", "a"]),
        np.array(["2020-01-01"], dtype="datetime64[s]"),
    ],
)
def test_unordered_labels_are_refused(y):
    with pytest.raises(ValueError, match="without a known order"):
        class_labels(y)
