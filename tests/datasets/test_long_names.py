"""Names that no file of ours can hold are refused before a search, in a line that can be read."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch
from moselect.datasets import order_target

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


def test_messages():
    values = pd.Series(np.array([f"{k}{LONG}" for k in "abc"])[Y], name="grade")
    for order in (None, ["low", LONG]):
        with pytest.raises(ValueError, match="order") as told:
            order_target(values, order)
        assert len(str(told.value)) < 2_000
