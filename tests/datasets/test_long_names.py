"""Names that no file of ours can hold are refused before a search, in a line that can be read."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch
from moselect.datasets import order_target, read_table

LONG = "x" * 10_001
Y = np.arange(40) % 3
X = np.arange(80.0).reshape(40, 2) % 7


@pytest.mark.parametrize(
    ("table", "labels", "words"),
    [
        (pd.DataFrame(X, columns=["a", LONG]), None, "the column 'xxxxxxxxxxxxxxxxxxxx...'"),
        (
            pd.DataFrame(X, columns=["a", "b"]).assign(t=["u", f"v{LONG}"] * 20),
            None,
            "the column 't=vxxxxxxxxxxxxxxxxx...'",
        ),
        (X, ["low", LONG, "high"], "the class 'xxxxxxxxxxxxxxxxxxxx...'"),
    ],
)
def test_searches(table, labels, words):
    y = Y if labels is None else np.array(labels)[Y]
    with pytest.raises(ValueError, match=words) as told:
        ParetoSearch(labels=labels).fit(table, y)
    assert "10,000 at most" in str(told.value)
    assert len(str(told.value)) < 200


@pytest.mark.parametrize(
    ("table", "labels", "words"),
    [
        (pd.DataFrame(X, columns=["a", "b\0"]), None, r"the column 'b\\x00' holds a zero"),
        (pd.DataFrame({"t": ["u", "\0"] * 20}), None, r"the column 't=.x00' holds a zero"),
        (X, ["low", "a\0b", "high"], r"the class 'a.x00b' holds a zero"),
    ],
)
def test_zero_characters(table, labels, words):
    y = Y if labels is None else np.array(labels, dtype=object)[Y]
    with pytest.raises(ValueError, match=words):
        ParetoSearch(labels=labels).fit(table, y)


def test_zero_characters_in_files(tmp_path):
    pd.DataFrame(X, columns=["\x00", "\x001"]).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(ValueError, match=r"column '.x00' holds a zero character"):
        read_table(tmp_path / "t.parquet")


def test_messages():
    values = pd.Series(np.array([f"{k}{LONG}" for k in "abc"])[Y], name="grade")
    for order in (None, ["low", LONG]):
        with pytest.raises(ValueError, match="order") as told:
            order_target(values, order)
        assert len(str(told.value)) < 2_000
