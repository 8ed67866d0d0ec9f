from __future__ import annotations

import re
import shlex
import subprocess

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.datasets import (
    order_labels,
    order_option,
    order_target,
    parse_order,
    recognise_scale,
)
from moselect.datasets.scales import SCALES


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
        assert str(caught.value).endswith("lowest first: --order high,low,mid")

    @pytest.mark.parametrize("order", ["low,high", 3, {"low", "high"}])
    def test_must_be_a_list(self, order):
        with pytest.raises(TypeError, match="order must be a list of labels, lowest first"):
            order_labels(target(["low", "high"]), order)


def test_other_text_has_no_known_order():
    message = "'grade' has labels without a known order: copy this with the labels in their order"
    for values in (["rock", "pop, or so", "rock"], pd.Categorical(["pop, or so", "rock"])):
        with pytest.raises(ValueError, match=re.escape(message)) as caught:
            order_labels(target(values), None)
        assert str(caught.value).endswith("""--order '"pop, or so",rock'""")


def test_free_text_is_no_target():
    with pytest.raises(ValueError, match=r"has 51 different labels of text.*--target"):
        order_labels(target([f"word {i}" for i in range(51)]), None)


class TestScales:
    @pytest.mark.parametrize(
        "labels",
        [
            ["Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree"],
            ["strongly_disagree", "neither agree nor disagree", "STRONGLY-AGREE"],
            ["low", "medium", "high"],
            ["Never", "Rarely", "Sometimes", "Often", "Always"],
            ["poor", "fair", "good", "very good", "excellent"],
            ["Fair", "Good", "Very Good", "Premium", "Ideal"],
            ["unacc", "acc", "good", "vgood"],
            ["D", "C", "CCC", "B", "BB", "BBB", "A", "AA", "AAA"],
            ["BBB-", "BBB", "BBB+", "A-", "AA+"],
            ["mild", "moderate", "severe"],
            ["slight", "serious", "fatal"],
            ["F", "E", "D", "C", "B", "A"],
            ["C+", "B-", "B", "A-", "A", "A+"],
            ["XS", "S", "M", "L", "XL", "XXL"],
            ["Jan", "Feb", "May", "Dec"],
            ["very dissatisfied", "neutral", "satisfied"],
            ["no", "maybe", "yes"],
            ["not at all", "somewhat", "extremely"],
        ],
    )
    def test_are_recognised_in_any_order_and_said(self, labels):
        shuffled = sorted(labels, key=lambda label: hash((label, 1)))
        found = order_target(target(shuffled))
        assert found.labels == tuple(labels)
        assert found.values.tolist() == shuffled
        (note,) = found.notes
        assert note == (
            "labels of 'grade' in the order of a well-known scale, lowest first: "
            + ", ".join(labels)
        )

    @pytest.mark.parametrize(
        "labels",
        [
            ["setosa", "versicolor", "virginica"],
            ["low", "medium", "tall"],
            ["M", "F"],
            ["S", "M"],
            ["rarely", "seldom", "always"],  # the same level twice
            ["red", "white"],
        ],
    )
    def test_are_not_guessed(self, labels):
        assert recognise_scale(labels) is None
        with pytest.raises(ValueError, match="without a known order"):
            order_target(target(labels))

    @given(st.sampled_from(sorted(SCALES)), st.data())
    def test_any_part_of_one_keeps_its_order(self, name, data):
        levels = [level.split("/") for level in " ".join(SCALES[name].split()).split(";")]
        words = [data.draw(st.sampled_from(level)).strip() for level in levels]
        chosen = data.draw(st.lists(st.sampled_from(range(len(words))), min_size=3, unique=True))
        found = recognise_scale([words[i] for i in chosen])
        assert found in (None, [words[i] for i in sorted(chosen)])  # None: scales disagree
        if len(chosen) == len(words):
            assert found is not None


class TestBlanks:
    def test_around_labels_are_left_out_and_said(self):
        found = order_target(target(["low ", " high", "low", "high"]), ["low", "high"])
        assert found.labels == ("low", "high")
        assert found.values.tolist() == ["low", "high", "low", "high"]
        assert found.notes == ("blanks around labels of 'grade' left out: 'low ', ' high'",)

    def test_of_ordered_categories(self):
        values = pd.Categorical(["b ", "a"], categories=["b ", "a", "b"], ordered=True)
        assert order_target(target(values)).labels == ("b", "a")


class TestOrderAsText:
    @given(st.lists(st.text("ab ,\"'éx-", min_size=1).map(str.strip).filter(bool), min_size=1))
    def test_an_option_ready_to_copy_is_read_back(self, labels):
        name, text = shlex.split(order_option(labels))
        assert name == "--order"
        assert parse_order(text) == labels

    def test_a_file_has_one_label_a_line(self, tmp_path):
        path = tmp_path / "order.txt"
        path.write_text("low\n mid, or so \n\nhigh\n", encoding="utf-8-sig")
        assert parse_order(str(path)) == ["low", "mid, or so", "high"]

    @pytest.mark.parametrize("text", ["", " ,, ", '"low,high'])
    def test_that_is_none_is_refused(self, text):
        with pytest.raises(ValueError, match="--order"):
            parse_order(text)


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


def test_labels_beyond_signed_numbers_keep_their_order():
    labels = (1, 2**63 + 1, 2**64 - 1)
    found = order_target(pd.Series(labels[::-1], dtype=np.uint64, name="grade"))
    assert found.labels == labels
    assert found.values.tolist() == list(labels[::-1])


@pytest.mark.parametrize(
    "labels", [["it's", 'a "b"', "c,d"], ["é\nx", "it's\t\\", "z\x1b\u200b\x85", "plain"]]
)
def test_the_order_that_is_told_can_be_copied(labels):
    option = order_option(labels)
    assert option.isprintable()
    shell = ["bash", "-c", f'printf "%s" {option.removeprefix("--order ")}']
    env = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    text = subprocess.run(shell, capture_output=True, check=True, env=env).stdout.decode()
    assert parse_order(text) == [label.strip() for label in labels]


def test_few_grades_between_whole_numbers_may_be_named():
    y = target([1.0, 1.5, 2.0, 1.5])
    with pytest.raises(ValueError, match="continuous") as caught:
        order_labels(y, None)
    option = str(caught.value).partition("name its grades (--order ")[2].rstrip(")")
    assert order_labels(y, parse_order(option))[1] == (1.0, 1.5, 2.0)
