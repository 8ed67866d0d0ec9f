"""Verdicts from expected figures and results."""

import math

import pandas as pd
import pytest

from experiments import verdicts


def expect(**columns):
    row = {"key": "a", "claim": "a claim", "paper": "", "tolerance": "", "note": ""}
    return pd.DataFrame([row | columns])


def find(here, low=math.nan, high=math.nan):
    return pd.DataFrame([{"key": "a", "here": here, "low": low, "high": high}])


@pytest.mark.parametrize(
    ("paper", "tolerance", "results", "verdict"),
    [
        ("0.433", "0.0005", find(0.43333), "agrees"),
        ("0.433", "0.0005", find(0.4336), "differs"),
        ("0.433", "", find(0.4331), "differs"),
        ("0.433", "", find(0.5, 0.433, 0.6), "agrees"),
        ("yes", "", find("no"), "differs"),
        ("> 0", "", find(0.2, 0.0, 0.3), "differs"),
        ("", "", find(0.7), "not printed"),
    ],
)
def test_verdicts(paper, tolerance, results, verdict):
    table = verdicts.judge(
        expect(paper=paper, tolerance=tolerance), results, complete=True
    )
    assert table["verdict"].tolist() == [verdict]


def test_results_need_claims_and_claims_results():
    results = find(1.0).assign(key="b")
    with pytest.raises(ValueError, match="'b' has a result, but no claim"):
        verdicts.judge(expect(), results, complete=True)
    with pytest.raises(ValueError, match=r"'a' of expected.csv has no result"):
        verdicts.judge(expect(), find(1.0).iloc[:0], complete=True)
    assert verdicts.judge(expect(), find(1.0).iloc[:0], complete=False).empty
