"""Text files read into tables, with errors in the words of those who wrote them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pandas as pd

from moselect.datasets.files.amounts import read_amounts
from moselect.datasets.files.text_format import TextFormat, too_many_fields

# From 3.1 on pandas always reads floats to the last bit, and warns if asked to.
OLD_PANDAS = tuple(int(part) for part in pd.__version__.split(".")[:2]) < (3, 1)
EXACT_FLOATS: dict[str, Any] = {"float_precision": "round_trip"} if OLD_PANDAS else {}


def read_text(
    content: bytes, text_format: TextFormat, names: Sequence[str], decimal: str | None = None
) -> tuple[pd.DataFrame, str]:
    """Read a text file into a table with columns called ``names``, and recognise its decimal mark.

    It is a comma if columns are numbers by it, and no others are by points. Columns that are nearly
    all numbers have them as floats, and their other cells as they are.
    """
    if decimal is not None:
        return _read(content, text_format, names, decimal, decimal)[0], decimal
    by_either = ".," if text_format.separator == "," else ",."
    table, marks = _read(content, text_format, names, ".", by_either)
    if "," not in marks:
        return table, "."
    other, _ = _read(content, text_format, names, ",", ",")
    numbers, all_numbers = (t.select_dtypes("number").columns for t in (table, other))
    if numbers.isin(all_numbers).all():
        return other, ","
    return _read(content, text_format, names, ".", ".,")[0], "."


def _read(
    content: bytes, text_format: TextFormat, names: Sequence[str], decimal: str, marks: str
) -> tuple[pd.DataFrame, set[str]]:
    """Read numbers by a decimal mark, and text that is numbers by the ``marks`` found in it.

    The units of the latter are an attribute of the table.
    """
    options = _options(text_format, names) | EXACT_FLOATS
    try:
        table = pd.read_csv(BytesIO(content), low_memory=False, decimal=decimal, **options)
    except pd.errors.ParserError as error:
        raise _in_plain_words(str(error), text_format) from None
    found, units = set(), {}
    for name in table:
        amounts = read_amounts(table[name], marks)
        if amounts is not None:
            table[name], mark, units[name] = amounts
            found.add(mark)
    table.attrs["units"] = units
    if len(table) < table.shape[1]:
        table = table.copy()  # in one block: thousands of single columns are slow
    return table, found


def read_words(
    content: bytes, text_format: TextFormat, names: Sequence[str], column: str
) -> pd.Series:
    """Read one column of a text file as it is written; only empty fields are missing."""
    words: dict[str, Any] = {
        "usecols": [column],
        "dtype": str,
        "na_values": [""],
        "keep_default_na": False,
    }
    table: pd.DataFrame = pd.read_csv(BytesIO(content), **words, **_options(text_format, names))
    return table[column]


def _options(text_format: TextFormat, names: Sequence[str]) -> dict[str, Any]:
    return {
        "sep": text_format.separator,
        "encoding": text_format.encoding,
        "skiprows": text_format.skipped,
        "header": 0,
        "names": list(names),
        "skipinitialspace": True,
    }


def _in_plain_words(message: str, text_format: TextFormat) -> ValueError:
    fields = re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", message)
    if fields:
        expected, line, found = map(int, fields.groups())
        return too_many_fields(f"line {line}", found, expected, text_format.separator)
    if "EOF inside string" in message:
        return ValueError("a quotation mark is opened and never closed")
    return ValueError(f"it is no table of text ({message})")
