"""Verdicts follow from the two tables, and pages hold nothing else."""

import math

import pandas as pd
import pytest

from experiments import verdicts


def expect(**columns):
    row = {
        "key": "a",
        "claim": "a claim",
        "paper": "",
        "tolerance": "",
        "note": "",
    } | columns
    return pd.DataFrame([row])


def find(here, low=math.nan, high=math.nan):
    return pd.DataFrame([{"key": "a", "here": here, "low": low, "high": high}])


@pytest.mark.parametrize(
    ("paper", "tolerance", "results", "verdict"),
    [
        ("0.433", "0.0005", find(0.43333), "agrees"),
        ("0.7", "0.1", find(0.8), "agrees"),  # 0.8 - 0.1 is above 0.7 in floats
        ("0.433", "0.0005", find(0.4336), "differs"),
        ("0.433", "0.0005", find(-0.433), "differs"),
        ("0.433", "", find(0.433), "agrees"),
        ("0.433", "", find(0.4331), "differs"),
        ("0.433", "", find(0.5, 0.433, 0.6), "agrees"),
        ("0.433", "", find(0.5, 0.434, 0.6), "differs"),
        ("0.433", "", find(0.4, 0.3, 0.432), "differs"),
        (
            "0.433",
            "0.0005",
            find(0.5, 0.4, 0.6),
            "differs",
        ),  # a tolerance is of the result itself
        ("0.433", "", find("yes"), "differs"),
        ("yes", "", find("yes"), "agrees"),
        ("yes", "", find("no"), "differs"),
        ("2 and 3", "", find("2 and 3"), "agrees"),
        ("> 0", "", find(0.2), "agrees"),
        ("> 0", "", find(0.0), "differs"),
        ("> 0", "", find(0.2, 0.1, 0.3), "agrees"),
        ("> 0", "", find(0.2, 0.0, 0.3), "differs"),  # all of the range must lie there
        ("< -0.1", "", find(-0.2, -0.3, -0.11), "agrees"),
        ("< -0.1", "", find(-0.2, -0.3, 0.2), "differs"),
        ("", "", find(0.7), "not printed"),
    ],
)
def test_verdicts(paper, tolerance, results, verdict):
    judged = verdicts.judge(
        expect(paper=paper, tolerance=tolerance), results, complete=True
    )
    assert judged["verdict"].tolist() == [verdict]


def test_results_need_claims_and_claims_results():
    results = find(1.0).assign(key="b")
    with pytest.raises(ValueError, match="'b' has a result, but no claim"):
        verdicts.judge(expect(), results, complete=True)
    with pytest.raises(ValueError, match=r"'a' of expected.csv has no result"):
        verdicts.judge(expect(), find(1.0).iloc[:0], complete=True)
    assert verdicts.judge(expect(), find(1.0).iloc[:0], complete=False).empty


def test_the_table_shows_the_printed_decimals_and_the_reason():
    misprint = expect(claim="P(a|b)", paper="0.50", note="a misprint")
    expected = pd.concat([misprint, expect(key="b", paper="0.50"), expect(key="c")])
    others = [find(0.5).assign(key="b"), find(2 / 3).assign(key="c")]
    results = pd.concat([find(0.123, 0.1, 0.2), *others])
    table = verdicts.markdown(verdicts.judge(expected, results, complete=True))
    assert table.splitlines() == [
        "| claim | paper | here | verdict |",
        "| --- | --- | --- | --- |",
        r"| P(a\|b) | 0.50 | 0.12 (0.10 to 0.20) | differs: a misprint |",
        "| a claim | 0.50 | 0.50 | agrees |",
        "| a claim |  | 0.6667 | not printed |",
        "",
        "3 figures: 1 agree, 1 differ, 1 not printed.",
    ]


def test_results_are_read_as_they_were_judged(tmp_path):
    results = pd.concat([find(1 / 3, 0.25, 0.5), find("yes").assign(key="b")])
    verdicts.write_results(results, tmp_path / "results.csv")
    read = verdicts.read_results(tmp_path / "results.csv")
    expected = pd.concat([expect(paper="0.3"), expect(key="b", paper="yes")])
    again, before = (
        verdicts.judge(expected, each, complete=True) for each in (read, results)
    )
    pd.testing.assert_frame_equal(again, before)
    assert read["low"].tolist() == ["0.25", ""]


def test_only_the_marked_part_of_a_page_changes(tmp_path):
    page = tmp_path / "README.md"
    page.write_text("before\n<!-- results -->\nold\n<!-- end of results -->\nafter\n")
    for text in ("new", "newer"):
        verdicts.fill_in(page, text)
        assert page.read_text() == (
            f"before\n<!-- results -->\n\n{text}\n\n<!-- end of results -->\nafter\n"
        )
    page.write_text("no marks")
    with pytest.raises(ValueError, match="no place for results"):
        verdicts.fill_in(page, "new")
