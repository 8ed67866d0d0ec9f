"""Columns of text that are numbers: by either decimal mark, with units and groups."""

from __future__ import annotations

import re
from collections import Counter

import pandas as pd

FEWEST_NUMBERS = 15  # different ones; with no more, cells such as "3+" are levels
NEARLY_ALL = 0.9  # of the different cells
GLANCE = 200  # cells, half of which must be numbers

# Words and signs that stand for a missing value in a column of something else.
_GAPS = """
|?|*|.|-|--|---|\N{EN DASH}|\N{EM DASH}|\N{MINUS SIGN}|na|n/a|n.a.|nan|<na>|none|null|nil
|#n/a|#na|#null!|#div/0!|#value!|#ref!|#name?|#num!
""".replace("\n", "")
GAPS = set(_GAPS.split("|"))
# Negative: -5, $-5 and -$5, 5- and 5- kg, and in brackets as accountants have it.
NEGATIVE = re.compile(r"([€$£]?\s?)-(.+)|(.*\d)-((?:\s\D*|[%‰€$£])?)|\((.+)\)")
# By the decimal mark: a currency before, digits in groups or not, decimals, and a unit behind.
AMOUNTS = {
    mark: re.compile(
        r"(?P<sign>[+-]?)(?P<before>[€$£])?\s?"
        rf"(?P<number>(?=[{mark}]?\d)(?:[1-9]\d{{0,2}}(?:[{group}'\s]\d{{3}})+|\d*)"
        rf"(?:[{mark}]\d+)?(?:[eE][+-]?\d+)?)"
        r"\s?(?P<unit>(?:[^\W\d_]|[%‰°€$£])[^\s;:+-]{0,7})?"
    )
    for mark, group in ((".", ","), (",", "."))
}
PLAIN = re.compile(r"[\d\s.,'+\-\N{MINUS SIGN}eE]+")  # without a unit


def read_all_amounts(table: pd.DataFrame, marks: str = ".,") -> set[str]:
    """Read the columns that hold amounts, in place; return the decimal marks found.

    Their units are an attribute of the table.
    """
    decimals, units = set(), table.attrs.setdefault("units", {})
    for name in table:
        amounts = read_amounts(table[name], marks)
        if amounts is not None:
            table[name], mark, units[name] = amounts
            decimals.add(mark)
    return decimals


def read_amounts(
    column: pd.Series, marks: str = ".,", known: bool = False, unit: str | None = None
) -> tuple[pd.Series, str, str] | None:
    """Return a column with its numbers as floats, its decimal mark and its unit.

    None if it is no text, or holds other cells than gaps and numbers without a unit,
    unless nearly all of many are numbers with at most one unit. In a column known to hold
    numbers each number is read. Gaps, and other cells, stay as they are written. Of the
    possible decimal ``marks`` it is that by which most cells are numbers, the first one of
    several. Without a ``unit`` it is that of most cells that have one; "" is none.
    """
    if pd.api.types.infer_dtype(column) != "string":
        return None
    cells = column.dropna().str.strip()
    distinct = cells.drop_duplicates().tolist()
    glance = _present(distinct[:GLANCE])
    if not known and 2 * max(len(_numbers(mark, glance)[0]) for mark in marks) < len(
        glance
    ):
        return None  # as most columns of text, of which there may be thousands
    distinct = _present(distinct)
    mark, (numbers, unit) = max(
        ((mark, _numbers(mark, distinct, unit)) for mark in marks),
        key=lambda reading: len(reading[1][0]),
    )
    plain = len(numbers) == len(distinct) > 0 and all(map(PLAIN.fullmatch, distinct))
    enough = len(numbers) > max(FEWEST_NUMBERS, NEARLY_ALL * len(distinct))
    often = enough and cells[cells.isin(distinct)].isin(numbers).mean() > 0.5
    if not (known or plain or often):
        return None
    read = column.map(lambda cell: numbers.get(cell.strip(), cell), na_action="ignore")
    return read.astype(object).infer_objects(), mark, unit


def _present(cells: list[str]) -> list[str]:
    """Return the cells that are no gaps."""
    return [cell for cell in cells if cell.lower() not in GAPS]


def with_leading_sign(text: str) -> str:
    r"""Write a negative number with an ASCII minus sign before it, and leave other text.

    Examples
    --------
    >>> texts = ["\N{MINUS SIGN}0.59", "0.59-", "$-5", "(5 %)", "5-day"]
    >>> list(map(with_leading_sign, texts))
    ['-0.59', '-0.59', '-$5', '-5 %', '5-day']
    """
    text = text.replace("\N{MINUS SIGN}", "-")
    negative = NEGATIVE.fullmatch(text)
    return "-" + "".join(filter(None, negative.groups())) if negative else text


def _numbers(
    mark: str, cells: list[str], unit: str | None = None
) -> tuple[dict[str, float], str]:
    """Return the cells that are numbers, without a unit or with one, that of most."""
    matches = {
        cell: match
        for cell in cells
        if (match := AMOUNTS[mark].fullmatch(with_leading_sign(cell)))
    }
    units = {
        cell: match["before"] or match["unit"] or "" for cell, match in matches.items()
    }
    if unit is None:
        unit = next(
            (unit for unit, _ in Counter(filter(None, units.values())).most_common(1)), ""
        )
    numbers = {}
    for cell, match in matches.items():
        if units[cell] in ("", unit):
            digits = re.sub(rf"[^\d+\-eE{mark}]", "", match["number"])
            numbers[cell] = float(match["sign"] + digits.replace(mark, "."))
    return numbers, unit
