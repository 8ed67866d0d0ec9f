from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.datasets.labels import order_labels


def target(values, **arguments):
    return pd.Series(values, name="grade", **arguments)


class TestOrderByValue:
    @given(st.lists(st.integers(-20, 20), min_size=2).filter(lambda v: len(set(v)) > 1))
    def test_integers_and_whole_floats(self, values):
        for given_values in (values, [float(value) for value in values]):
            y, labels = order_labels(target(given_values), None)
            assert labels == tuple(sorted(set(values)))
            assert all(type(label) is int for label in labels)
            assert y.tolist() == values
            assert y.dtype == np.int64

    def test_nullable_integers(self):
        y, labels = order_labels(target([3, 1], dtype="Int64"), None)
        assert (y.dtype, labels) == (np.int64, (1, 3))

    def test_booleans(self):
        for dtype in ("bool", "boolean"):
            y, labels = order_labels(target([True, False], dtype=dtype), None)
            assert (y.dtype, labels) == (np.dtype(bool), (False, True))

    def test_text_that_reads_as_whole_numbers(self):
        for values in (["10", "9", "-1"], pd.Categorical(["10", "9", "-1"])):
            y, labels = order_labels(target(values), None)
            assert labels == (-1, 9, 10)
            assert y.tolist() == [10, 9, -1]

    def test_unordered_categories_of_numbers(self):
        y, labels = order_labels(target(pd.Categorical([3, 1, 2], categories=[2, 3, 1])), None)
        assert labels == (1, 2, 3)
        assert y.tolist() == [3, 1, 2]

    def test_fifty_numbers_are_labels_and_one_more_is_a_measurement(self):
        assert len(order_labels(target(range(50)), None)[1]) == 50
        with pytest.raises(ValueError, match=r"'grade' has 51 different numbers.*--bins 5"):
            order_labels(target(range(51)), None)


class TestOwnOrder:
    def test_ordered_categories_without_the_unused(self):
        values = pd.Categorical(["hi", "lo", "hi"], ["lo", "mid", "hi"], ordered=True)
        y, labels = order_labels(target(values), None)
        assert labels == ("lo", "hi")
        assert y.tolist() == ["hi", "lo", "hi"]
        assert y.cat.ordered
        assert y.cat.codes.tolist() == [1, 0, 1]

    def test_gives_way_to_a_given_order(self):
        values = pd.Categorical(["hi", "lo"], ["lo", "mid", "hi"], ordered=True)
        assert order_labels(target(values), ["hi", "lo"])[1] == ("hi", "lo")


class TestGivenOrder:
    def test_text(self):
        y, labels = order_labels(target(["mid", "low", "high", "low"]), ["low", "mid", "high"])
        assert labels == ("low", "mid", "high")
        assert y.tolist() == ["mid", "low", "high", "low"]
        assert y.cat.codes.tolist() == [1, 0, 2, 0]
        assert y.cat.ordered

    @pytest.mark.parametrize("values", [[1, 2, 3, 1], [1.0, 2.0, 3.0, 1.0]])
    @pytest.mark.parametrize("order", [["3", "2", "1"], (3, 2, 1)])
    def test_numbers_are_compared_as_text(self, values, order):
        y, labels = order_labels(target(values), order)
        assert labels == (3, 2, 1)
        assert y.cat.codes.tolist() == [2, 1, 0, 2]

    def test_half_grades_and_booleans(self):
        assert order_labels(target([1.5, 1.0]), ["1.0", "1.5"])[1] == (1.0, 1.5)
        assert order_labels(target([True, False]), ["True", "False"])[1] == (True, False)

    def test_text_of_numbers_stays_text(self):
        assert order_labels(target(["02", "01"]), ["01", "02"])[1] == ("01", "02")

    @pytest.mark.parametrize(
        ("order", "message"),
        [
            (["low", "mid"], "order lacks labels of target 'grade': high;"),
            (["low", "mid", "high", "top"], "order has labels that target 'grade' does not have: "),
            (["low", "mid", "high", "mid"], "order repeats labels: mid;"),
            ([], "order lacks labels of target 'grade': mid, low, high;"),
        ],
    )
    def test_must_be_that_of_the_data(self, order, message):
        with pytest.raises(ValueError, match=re.escape(message)) as caught:
            order_labels(target(["mid", "low", "high"]), order)
        assert "(--order low,mid,high; the labels are mid, low, high)" in str(caught.value)

    @pytest.mark.parametrize("order", ["low,high", 3, {"low", "high"}])
    def test_must_be_a_list(self, order):
        with pytest.raises(TypeError, match="order must be a list of labels, lowest first"):
            order_labels(target(["low", "high"]), order)


def test_text_has_no_known_order():
    message = "'grade' has labels without a known order: mid, low; give their order, lowest first"
    for values in (["mid", "low", "mid"], pd.Categorical(["mid", "low"], ["low", "mid"])):
        with pytest.raises(ValueError, match=re.escape(message)) as caught:
            order_labels(target(values), None)
        assert "(--order low,mid,high)" in str(caught.value)


@pytest.mark.parametrize("values", [[0.5, 1.0, 2.25], [1e300, 1e299, 1e298]])
def test_other_floats_are_continuous(values):
    with pytest.raises(ValueError, match=r"'grade' is continuous \(.*\): .* \(--bins 5\)"):
        order_labels(target(values), None)


@pytest.mark.parametrize(
    ("values", "order"),
    [([4, 4], None), (["4", "4"], ["4"]), (pd.Categorical(["4"], ordered=True), None)],
)
def test_one_label_cannot_be_ordered(values, order):
    with pytest.raises(ValueError, match="'grade' has the one label 4: two or more are needed"):
        order_labels(target(values), order)
