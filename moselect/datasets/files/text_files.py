"""Text files read into tables, with errors in the words of those who wrote them."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, BinaryIO

import pandas as pd

from moselect.datasets.files.text_format import (
    DECIMAL_COMMA,
    POINT_GROUPS,
    TextFormat,
    decode,
    recognise_decimal,
    recognise_separator,
    split,
    too_many_fields,
)

# From 3.1 on pandas always reads floats to the last bit, and warns if asked to.
_OLD_PANDAS = tuple(int(part) for part in pd.__version__.split(".")[:2]) < (3, 1)
_EXACT_FLOATS: dict[str, Any] = {"float_precision": "round_trip"} if _OLD_PANDAS else {}
# Numbers in groups of three digits, which pandas can read only at the cost of reading 1.2.2024 as
# a number, too.
_NUMBERS = {
    ".": re.compile(r"[+-]?(\d+|[1-9]\d{0,2}(,\d{3})+)(\.\d+)?"),
    ",": re.compile(r"[+-]?(\d+|[1-9]\d{0,2}(\.\d{3})+)(,\d+)?"),
}
_LATE_COMMAS = re.compile(r"[+-]?\d+(,\d+)?")


def read_text(
    open_file: Callable[[], BinaryIO],
    text_format: TextFormat,
    names: Sequence[str],
    *,
    late_commas: bool = False,
) -> pd.DataFrame:
    """Read a text file of a known format into a table with columns called ``names``.

    With ``late_commas`` the first decimal comma of a column may stand so far down that the format
    was recognised before it.
    """
    options = _options(text_format, names) | _EXACT_FLOATS
    try:
        table = _read_csv(open_file, options)
    except pd.errors.ParserError as error:
        raise _in_plain_words(str(error), text_format) from None
    _convert_numbers(table, _NUMBERS[text_format.decimal], text_format.decimal)
    if late_commas:
        _convert_numbers(table, _LATE_COMMAS, ",")
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
    if separator == "," or recognise_decimal(chain(*rows), separator) == ".":
        return rows
    return [[_with_point(cell) for cell in row] for row in rows]


def _with_point(cell: str) -> str:
    """Return a number such as 1.000,5 or 1.000 as 1000.5 or 1000; all else as it is."""
    if DECIMAL_COMMA.fullmatch(cell) or POINT_GROUPS.fullmatch(cell):
        return cell.replace(".", "").replace(",", ".")
    return cell


def _read_csv(open_file: Callable[[], BinaryIO], options: dict[str, Any]) -> pd.DataFrame:
    """Read a table part by part; as a whole if only that tells of which type a column is."""
    table: pd.DataFrame
    with warnings.catch_warnings(), open_file() as file:
        warnings.simplefilter("error", pd.errors.DtypeWarning)
        try:
            table = pd.read_csv(file, **options)
        except pd.errors.DtypeWarning:
            with open_file() as again:
                table = pd.read_csv(again, low_memory=False, **options)
    return table


def _options(text_format: TextFormat, names: Sequence[str]) -> dict[str, Any]:
    return {
        "sep": text_format.separator,
        "decimal": text_format.decimal,
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


def _convert_numbers(table: pd.DataFrame, number: re.Pattern[str], decimal: str) -> None:
    """Convert columns of text, all of which are numbers of this pattern, into floats in place."""
    for name in table.columns[[pd.api.types.is_string_dtype(kind) for kind in table.dtypes]]:
        text = table[name].dropna()
        if not len(text) or not number.fullmatch(str(text.iloc[0])):
            continue  # as most columns, of which there may be thousands
        text = text.astype(str)
        written_otherwise = text.str.contains("[.,]").any()  # not integers of too many digits
        if written_otherwise and text.str.fullmatch(number).all():
            plain = text.str.replace("," if decimal == "." else ".", "").str.replace(decimal, ".")
            table[name] = plain.astype("float64").reindex(table.index)
