"""Expressions of the costs of a row: names as they are written, and no other text."""

import numpy as np
import pytest

from moselect.costs.row_costs import CostExpression


def test_a_column_is_the_one_that_is_written():
    # Python's parser takes them for one name: NFKC of the left one is the right one.
    written, other = "\u00b5", "\u03bc"
    values = {written: np.array([1.0]), other: np.array([10.0])}
    cost = CostExpression(f"2 * {written} + 50")
    assert cost.columns == [written]
    assert cost(values).tolist() == [52.0]
    assert CostExpression(f"max({other}, {written})")(values).tolist() == [10.0]


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("max + 1", ["max"]),
        ("1e-5 * e5 + 2E3", ["e5"]),
        ("`claim amount` / 'it\\d' + \"a'b\"", ["claim amount", "it\\d", "a'b"]),
        ("column1 + column0", ["column1", "column0"]),
    ],
)
def test_names_and_numbers(text, columns):
    assert CostExpression(text).columns == columns


@pytest.mark.parametrize(
    "text",
    ["`a``b`", "a #comment", "b'a'", "f(a)", "a.b"],
)
def test_other_text_is_refused_in_one_line(text):
    with pytest.raises(ValueError, match="cannot be read: write numbers, columns"):
        CostExpression(text)
