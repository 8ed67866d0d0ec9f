"""Tables as text, which no spreadsheet takes for formulas and which steers no terminal."""

from __future__ import annotations

import csv
import re
from typing import Any

import numpy as np
import pandas as pd

STEERING = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes such text for a formula
MOST_CHARACTERS = 32_767  # of a cell in a workbook
ESCAPED = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def as_csv(table: pd.DataFrame, separator: str = ",") -> bytes:
    """Return a table as it stands in a CSV file, without its index."""
    text = table.to_csv(index=False, sep=separator, lineterminator="\n")
    if "\r" in text:  # Python quotes a line feed by itself, but a carriage return ends a row, too
        text = table.to_csv(
            index=False, sep=separator, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC
        )
    return text.encode()


def spreadsheet_csv(table: pd.DataFrame, separator: str = ",") -> str:
    r"""Return a table as CSV in which no text is a formula to a spreadsheet or steers a terminal.

    An apostrophe is put before text, names of columns included, that begins with ``=``, ``+``,
    ``-``, ``@``, a tab or a carriage return, unless all of it is a number. Control characters other
    than tabs and ends of lines are shown by their numbers, such as ``\x1b``.
    """
    safe = table.rename(columns=lambda name: _safe(str(name)))
    for j, kind in enumerate(table.dtypes):
        if not (pd.api.types.is_numeric_dtype(kind) or pd.api.types.is_datetime64_any_dtype(kind)):
            # With dtype object, integers beside blanks stay integers.
            texts = [_safe(value) for value in table.iloc[:, j]]
            safe.isetitem(j, np.array([*texts, None], dtype=object)[:-1])
    return as_csv(safe, separator).decode()


def unescaped(value: Any) -> Any:
    """Return a cell of `spreadsheet_csv` as it was before."""
    escaped = isinstance(value, str) and value[:1] == "'" and value[1:].startswith(STEERING)
    return value[1:] if escaped else value


def cell_text(text: str) -> str:
    """Return text as a cell of a workbook holds it, where ``_x0041_`` stands for a character.

    Raises
    ------
    ValueError
        If it has control characters or more than 32,767 characters.
    """
    if CONTROL.search(text) or len(text) > MOST_CHARACTERS:
        raise ValueError(
            f"a cell of a workbook cannot hold {text[:50]!r}: it has control characters or is too "
            "long"
        )
    return ESCAPED.sub("_x005F_", text).replace("\r", "_x000D_")


def _safe(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    value = CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", value)
    if value.startswith(STEERING):
        try:
            float(value)
        except ValueError:
            return f"'{value}"
    return value
