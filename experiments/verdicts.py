"""Verdicts: published figures beside the reproduced ones, and whether they agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

AGREES, DIFFERS, NOT_PRINTED = "agrees", "differs", "not printed"
EXPECTED = ["key", "claim", "paper", "tolerance", "note"]
RESULTS = ["key", "here", "low", "high"]
HEADINGS = ("claim", "paper", "here", "verdict")
ROUNDING = 1e-9  # of the numbers in the tables, which are decimal
RESULTS_MARK = "results"


def read_expected(path: Path) -> pd.DataFrame:
    """Read what a paper prints, as text."""
    expected = pd.read_csv(path, dtype=str, keep_default_na=False)
    if list(expected.columns) != EXPECTED:
        raise ValueError(f"{path} must have the columns {', '.join(EXPECTED)}")
    repeated = expected["key"][expected["key"].duplicated()]
    if len(repeated):
        raise ValueError(f"{path} has the key '{repeated.iloc[0]}' twice")
    return expected


def write_results(results: pd.DataFrame, path: Path) -> None:
    """Write results with eight digits, one row a key."""
    results.reindex(columns=RESULTS).map(_eight_digits).to_csv(path, index=False)


def read_results(path: Path) -> pd.DataFrame:
    """Read results as text."""
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def judge(
    expected: pd.DataFrame, results: pd.DataFrame, *, complete: bool
) -> pd.DataFrame:
    """Put both side by side, with a verdict for each key, in the order of ``expected``.

    Numbers agree if they differ by no more than the tolerance. Without a tolerance the printed
    number must lie in the range of the result, or, if there is none, be the same; so must texts.
    "> 0" and "< 0" agree if the result, or all of its range, lies on that side of the number.
    Where nothing is printed, there is nothing to agree with.

    Raises
    ------
    ValueError
        If a result has no claim, or, where they are to be complete, a claim no result.
    """
    results = results.reindex(columns=RESULTS).map(_eight_digits)
    unknown = sorted(set(results["key"]) - set(expected["key"]))
    missing = sorted(set(expected["key"]) - set(results["key"]))
    if unknown:
        raise ValueError(f"'{unknown[0]}' has a result, but no claim in expected.csv")
    if complete and missing:
        raise ValueError(f"'{missing[0]}' of expected.csv has no result")
    judged = expected.merge(results, on="key", validate="one_to_one")
    judged["verdict"] = [_verdict(row) for row in judged.itertuples()]
    return judged


def markdown(judged: pd.DataFrame, headings: Sequence[str] = HEADINGS) -> str:
    """Give the table claim | paper | here | verdict in Markdown, and a line that counts."""
    rows = [headings, ["---"] * len(headings), *shown(judged, headings)]
    bars = [" | ".join(cell.replace("|", r"\|") for cell in row) for row in rows]
    return "\n".join([*(f"| {bar} |" for bar in bars), "", count(judged)])


def shown(judged: pd.DataFrame, headings: Sequence[str] = HEADINGS) -> list[list[str]]:
    """Give the cells of the table, row by row."""
    table = judged.assign(
        here=[_here(row) for row in judged.itertuples()],
        verdict=[
            f"{v}: {n}" if n else v
            for v, n in zip(judged.verdict, judged.note, strict=True)
        ],
    )
    cells: list[list[str]] = table[list(headings)].to_numpy().tolist()
    return cells


def count(judged: pd.DataFrame) -> str:
    """Say how many claims there are and how many of them agree."""
    n = judged["verdict"].value_counts()
    words = {AGREES: "agree", DIFFERS: "differ", NOT_PRINTED: "not printed"}
    parts = [f"{n[verdict]} {word}" for verdict, word in words.items() if verdict in n]
    return f"{len(judged)} figures: {', '.join(parts)}."


def differences(judged: pd.DataFrame) -> str:
    """Give every figure that differs in Markdown, under its reason, the commonest reason first."""
    differ = judged[judged["verdict"] == DIFFERS]
    blocks = []
    for reason in differ["note"].value_counts().index:
        rows = shown(differ[differ["note"] == reason], HEADINGS[:3])
        bars = [" | ".join(cell.replace("|", r"\|") for cell in row) for row in rows]
        table = [
            "| claim | paper | here |",
            "| --- | --- | --- |",
            *(f"| {bar} |" for bar in bars),
        ]
        blocks.append("\n".join([f"Reason: {reason}.", "", *table]))
    return "\n\n".join(blocks)


def counts(judged: Mapping[str, pd.DataFrame], summaries: Mapping[str, str]) -> str:
    """Give a table of how many figures of each experiment agree, in Markdown."""
    lines = [
        "| paper | figures | agree | differ, each with its reason | ours alone |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, table in judged.items():
        found = [
            int((table["verdict"] == v).sum()) for v in (AGREES, DIFFERS, NOT_PRINTED)
        ]
        cells = [f"[{summaries[name].rstrip('.')}]({name})", len(table), *found]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def fill_in(page: Path, text: str, mark: str = RESULTS_MARK) -> None:
    """Put text between the marks ``<!-- mark -->`` and ``<!-- end of mark -->`` of a page."""
    first, last = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
    head, start, rest = page.read_text(encoding="utf-8").partition(first)
    _, end, tail = rest.partition(last)
    if not start or not end:
        raise ValueError(f"{page} has no place for results: write {first} and {last}")
    page.write_text(f"{head}{first}\n\n{text}\n\n{last}{tail}", encoding="utf-8")


def _verdict(row: Any) -> str:
    if not row.paper:
        return NOT_PRINTED
    if row.paper[0] in "<>":
        return _verdict_on_side(row)
    printed, here = _number(row.paper), _number(row.here)
    if printed is None or here is None:
        return AGREES if row.paper == row.here else DIFFERS
    if row.tolerance:
        low, high = here - float(row.tolerance), here + float(row.tolerance)
    else:
        low, high = (here, here) if not row.low else (float(row.low), float(row.high))
    slack = ROUNDING * max(1.0, abs(here))
    return AGREES if low - slack <= printed <= high + slack else DIFFERS


def _verdict_on_side(row: Any) -> str:
    side, bound = row.paper[0], float(row.paper[1:])
    low, high = float(row.low or row.here), float(row.high or row.here)
    return AGREES if (low > bound if side == ">" else high < bound) else DIFFERS


def _here(row: Any) -> str:
    here, low, high = (_like(text, row.paper) for text in (row.here, row.low, row.high))
    return f"{here} ({low} to {high})" if low else here


def _like(text: str, printed: str) -> str:
    """Write a number with as many decimals as the printed one, if there is one."""
    number = _number(text)
    if number is None:
        return text
    if _number(printed) is None:
        return f"{number:.4g}" if abs(number) < 1e4 else f"{number:.0f}"
    return f"{number:.{len(printed.partition('.')[2])}f}"


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _eight_digits(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if pd.isna(value) else f"{float(value):.8g}"
