"""Columns of text that are numbers: by either decimal mark, with units, groups and a few words."""

from __future__ import annotations

import re
from collections import Counter

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
PLAIN = re.compile(r"[\d\s.,'+\-eE]+")  # without a unit


def read_amounts(
    column: pd.Series, marks: str = ".,", known: bool = False
) -> tuple[pd.Series, str] | None:
    """Return a column with its numbers as floats and its other cells as they are, and its mark.

    None if it is no text, or holds other cells than numbers without a unit, unless nearly all of
    many are numbers with at most one unit; if it is known to hold numbers, as many as there are are
    read. Of the possible decimal ``marks`` it is that by which most cells are numbers, the first
    one of several.
    """
    if pd.api.types.infer_dtype(column) != "string":
        return None
    cells = column.dropna().str.strip()
    distinct = cells.drop_duplicates().tolist()
    glance = distinct[:GLANCE]
    if not known and 2 * max(len(_numbers(mark, glance)) for mark in marks) < len(glance):
        return None  # as most columns of text, of which there may be thousands
    mark, numbers = max(
        ((mark, _numbers(mark, distinct)) for mark in marks), key=lambda found: len(found[1])
    )
    plain = len(numbers) == len(distinct) and all(map(PLAIN.fullmatch, distinct))
    enough = len(numbers) > max(FEWEST_NUMBERS, NEARLY_ALL * len(distinct))
    if not (known or plain or (enough and cells.isin(numbers).mean() > 0.5)):
        return None
    read = column.map(lambda cell: numbers.get(cell.strip(), cell), na_action="ignore")
    return read.astype(object).infer_objects(), mark


def _numbers(mark: str, cells: list[str]) -> dict[str, float]:
    """Return the cells that are numbers, without a unit or with that of most."""
    matches = {
        cell: match
        for cell in cells  # accountants write negative amounts in brackets
        if (match := AMOUNTS[mark].fullmatch(re.sub(r"^\((.+)\)$", r"-\1", cell)))
    }
    units = {cell: match["before"] or match["unit"] or "" for cell, match in matches.items()}
    usual = [unit for unit, _ in Counter(filter(None, units.values())).most_common(1)]
    numbers = {}
    for cell, match in matches.items():
        if units[cell] in ("", *usual):
            digits = re.sub(rf"[^\d+\-eE{mark}]", "", match["number"])
            numbers[cell] = float(digits.replace(mark, "."))
    return numbers
