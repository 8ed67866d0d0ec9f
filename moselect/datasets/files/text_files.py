"""Text files read into tables, with errors in the words of those who wrote them."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

import pandas as pd

from moselect.datasets.files.amounts import read_amounts
from moselect.datasets.files.text_format import (
    TextFormat,
    decode,
    recognise_separator,
    split,
    too_many_fields,
)

# From 3.1 on pandas always reads floats to the last bit, and warns if asked to.
OLD_PANDAS = tuple(int(part) for part in pd.__version__.split(".")[:2]) < (3, 1)
EXACT_FLOATS: dict[str, Any] = {"float_precision": "round_trip"} if OLD_PANDAS else {}
# Numbers by their decimal mark, also in groups of three digits, which pandas can read only at the
# cost of reading 1.2.2024 as a number, too.
NUMBERS = {
    ".": re.compile(r"[+-]?(\d+|[1-9]\d{0,2}(,\d{3})+)(\.\d+)?"),
    ",": re.compile(r"[+-]?(\d*|[1-9]\d{0,2}(\.\d{3})+)(,\d+)?([eE][+-]?\d+)?"),
}


def read_text(
    open_file: Callable[[], BinaryIO],
    text_format: TextFormat,
    names: Sequence[str],
    decimal: str | None = None,
) -> tuple[pd.DataFrame, str]:
    """Read a text file into a table with columns called ``names``, and recognise its decimal mark.

    It is a comma if columns are numbers by it, and no others are by points. Columns that are nearly
    all numbers have them as floats, and their other cells as they are.
    """
    marks = decimal or ".,"
    table = _read(open_file, text_format, names, marks[0])
    if decimal is not None or text_format.separator == ",":
        _convert(table, marks[0])
    commas = [] if decimal else [str(name) for name in table if _is_written(table[name], ",")]
    if commas:
        other = _read(open_file, text_format, names, ",")
        _convert(other, ",")
        numbers, all_numbers = (t.select_dtypes("number").columns for t in (table, other))
        if numbers.isin(all_numbers).all():
            table, marks = other, ",."
        elif text_format.separator != ",":
            table[commas] = other[commas]
    _convert(table, marks[0])
    for name in table:
        amounts = read_amounts(table[name], marks)
        if amounts is not None:
            table[name], mark = amounts
            marks = ",." if mark == "," and text_format.separator != "," else marks
    return table, marks[0]


def _read(
    open_file: Callable[[], BinaryIO], text_format: TextFormat, names: Sequence[str], decimal: str
) -> pd.DataFrame:
    options = _options(text_format, names) | EXACT_FLOATS
    try:
        with open_file() as file:
            table: pd.DataFrame = pd.read_csv(file, low_memory=False, decimal=decimal, **options)
    except pd.errors.ParserError as error:
        raise _in_plain_words(str(error), text_format) from None
    return table


def read_words(
    open_file: Callable[[], BinaryIO], text_format: TextFormat, names: Sequence[str], column: str
) -> pd.Series:
    """Read one column of a text file as it is written; only empty fields are missing."""
    words: dict[str, Any] = {
        "usecols": [column],
        "dtype": str,
        "na_values": [""],
        "keep_default_na": False,
    }
    with open_file() as file:
        table: pd.DataFrame = pd.read_csv(file, **words, **_options(text_format, names))
    return table[column]


def read_text_cells(open_file: Callable[[], BinaryIO]) -> list[list[str]]:
    """Return all cells of a small text file; decimal commas become points."""
    lines = list(io.StringIO(decode(open_file)[1], newline=""))
    separator = recognise_separator(lines)
    rows = [[cell.strip() for cell in row] for row in split(lines, separator)]
    if separator == ",":
        return rows
    commas = {cell for row in rows for cell in row if NUMBERS[","].fullmatch(cell)}
    if not any("," in cell for cell in commas):
        return rows
    return [
        [cell.replace(".", "").replace(",", ".") if cell in commas else cell for cell in row]
        for row in rows
    ]


def _options(text_format: TextFormat, names: Sequence[str]) -> dict[str, Any]:
    return {
        "sep": text_format.separator,
        "encoding": text_format.encoding,
        "skiprows": text_format.n_skipped,
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


def _is_written(column: pd.Series, decimal: str) -> bool:
    """Return whether a column is text, all of it numbers with this decimal mark or in groups."""
    text = column.dropna()
    if not len(text) or not pd.api.types.is_string_dtype(column.dtype):
        return False
    if not NUMBERS[decimal].fullmatch(str(text.iloc[0])):
        return False  # as most columns, of which there may be thousands
    text = text.astype(str)
    return bool(text.str.contains("[.,]").any() and text.str.fullmatch(NUMBERS[decimal]).all())


def _convert(table: pd.DataFrame, decimal: str) -> None:
    """Convert columns of text that are numbers with this decimal mark into floats in place."""
    for name in [name for name in table if _is_written(table[name], decimal)]:
        plain = table[name].str.replace("," if decimal == "." else ".", "").str.replace(",", ".")
        table[name] = plain.astype("float64")
