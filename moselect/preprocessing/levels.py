"""Levels of categorical columns, independent of their spelling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from moselect.listing import listing
from moselect.preprocessing.cells import Cells, distinct_cells
from moselect.samples.labels import is_ordered_categorical, level_text
from moselect.samples.scales import recognise_scale

Value = TypeVar("Value", int, float)
# Words read as missing in a file, which other tables may hold as text.
FILE_GAPS = [
    "#N/A",
    "#NA",
    "<NA>",
    "N/A",
    "NA",
    "NULL",
    "NaN",
    "None",
    "n/a",
    "nan",
    "null",
]


def read_levels(column: pd.Series) -> tuple[NDArray[np.int64], list[str]]:
    """Return the index of each cell's level, -1 if it is missing, and the levels as text.

    Integers are the same level with and without a decimal point; surrounding blanks are
    ignored.
    """
    codes, values = distinct_cells(column)
    levels: dict[str, int] = {}
    places = [
        levels.setdefault(text, len(levels)) if text else -1
        for text in map(level_text, values)
    ]
    return np.array([*places, -1], dtype=np.int64)[codes], list(levels)


def levels_in_order(column: pd.Series) -> list[str]:
    """Return the levels of a column, lowest first; ValueError if they have no known order.

    Examples
    --------
    >>> levels_in_order(pd.Series(["25-34", "18-24", None, "35+"]))
    ['18-24', '25-34', '35+']
    """
    if is_ordered_categorical(column):
        return list(map(level_text, column.cat.categories))
    levels = sorted(read_levels(column)[1])
    order = recognise_scale(levels)
    if order is None:
        raise ValueError(
            f"column {str(column.name)!r} has levels without a known order "
            f"({listing(levels, 3)}): it can have no direction, unless it is an ordered "
            "Categorical"
        )
    return order


def look_up(
    column: pd.Series, values: Mapping[str, float], otherwise: float, missing: float
) -> Cells:
    """Map each cell to the value of its level (n, 1)."""
    codes, levels = read_levels(column)
    table = np.array([*(values.get(level, otherwise) for level in levels), missing])
    return Cells(table[codes, np.newaxis], codes < 0)


def written_otherwise(level: str) -> list[str]:
    """Return other spellings of a level: decimal points, the case of booleans, words for NaN.

    Examples
    --------
    >>> written_otherwise("12"), written_otherwise("True"), written_otherwise("north")
    (['12.0'], ['true', 'True', 'TRUE'], [])
    """
    if level.removeprefix("-").isdecimal():
        return [f"{level}.0"]
    if level.lower() in ("true", "false"):
        return [level.lower(), level.capitalize(), level.upper()]
    return [] if level else FILE_GAPS


def as_written(levels: Mapping[str, Value], missing: Value) -> dict[str, Value]:
    """Extend a mapping of levels by their other spellings.

    Words for missing values in files count as missing unless they are levels.
    """
    written = dict.fromkeys(FILE_GAPS, missing)
    for level, value in levels.items():
        written |= dict.fromkeys(written_otherwise(level), value)
    return written | dict(levels)
