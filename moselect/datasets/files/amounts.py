"""Columns of text that are numbers but for units, grouped digits and a few words."""

from __future__ import annotations

import re

import pandas as pd

FEWEST_NUMBERS = 15  # different ones; with no more, cells such as "3+" are levels
NEARLY_ALL = 0.9  # of the different cells
GLANCE = 200  # cells, half of which must be numbers

# By the decimal mark: a currency before, digits in groups or not, decimals, and a unit behind.
AMOUNTS = {
    mark: re.compile(
        r"(?P<before>[€$£])?\s?"
        rf"(?P<number>(?=[+-]?[{mark}]?\d)[+-]?(?:[1-9]\d{{0,2}}(?:[{group}'\s]\d{{3}})+|\d*)"
        rf"(?:[{mark}]\d+)?(?:[eE][+-]?\d+)?)"
        r"\s?(?P<unit>(?:[^\W\d_]|[%‰°€$£])[^\s;:+-]{0,7})?"
    )
    for mark, group in ((".", ","), (",", "."))
}


def read_amounts(
    column: pd.Series, marks: str = ".,", known: bool = False
) -> tuple[pd.Series, str] | None:
    """Return a column with its numbers as floats and its other cells as they are, and its mark.

    None if it is no text, or not nearly all of it is numbers with at most one unit; if it is known
    to hold numbers, as many as there are are read. Of the possible decimal ``marks`` it is that by
    which most cells are numbers, the first one of several.
    """
    if pd.api.types.infer_dtype(column) != "string":
        return None
    cells = column.dropna().str.strip()
    if not known and max(_share(mark, cells.head(GLANCE)) for mark in marks) < 0.5:
        return None  # as most columns of text, of which there may be thousands
    distinct = cells.drop_duplicates()
    mark = max(marks, key=lambda mark: _share(mark, distinct))
    numbers = _numbers(mark, distinct).dropna()
    enough = len(numbers) > max(FEWEST_NUMBERS, NEARLY_ALL * len(distinct))
    if not (known or (enough and cells.isin(distinct[numbers.index]).mean() > 0.5)):
        return None
    found = dict(zip(distinct[numbers.index], numbers, strict=True))
    read = column.map(lambda cell: found.get(cell.strip(), cell), na_action="ignore")
    return read.astype(object).infer_objects(), mark


def _share(mark: str, cells: pd.Series) -> float:
    return float(_numbers(mark, cells).notna().mean()) if len(cells) else 0.0


def _numbers(mark: str, cells: pd.Series) -> pd.Series:
    """Return cells as numbers; NaN if they are none, or have another unit than most."""
    matches = cells.map(AMOUNTS[mark].fullmatch)
    matches = matches[matches.notna()]
    units = matches.map(lambda match: match["before"] or match["unit"] or "")
    counts = units[units != ""].value_counts()
    usual = ["", *counts.index[:1]]
    texts = matches[units.isin(usual)].map(
        lambda match: re.sub(r"[^\d+\-eE.,]", "", match["number"])
    )
    other = "," if mark == "." else "."
    plain = texts.map(lambda text: float(text.replace(other, "").replace(mark, ".")))
    return plain.astype("float64").reindex(cells.index)
