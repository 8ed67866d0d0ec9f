"""Text files read into tables, with errors in the words of those who wrote them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

import pandas as pd

from moselect.datasets.files.parts import read_in_parts
from moselect.datasets.files.text_format import SEPARATORS, TextFormat

# From 3.1 on pandas always reads floats to the last bit, and warns if asked to.
_OLD_PANDAS = tuple(int(part) for part in pd.__version__.split(".")[:2]) < (3, 1)
_EXACT_FLOATS: dict[str, Any] = {"float_precision": "round_trip"} if _OLD_PANDAS else {}
# Numbers in groups of three digits, which pandas can read only at the cost of reading 1.2.2024 as
# a number, too.
_LATE_COMMAS = re.compile(r"[+-]?\d+(,\d+)?")
_GROUPED = {
    ".": re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?"),
    ",": re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d+)?"),
}


def read_text(
    open_file: Callable[[], BinaryIO], text_format: TextFormat, names: Sequence[str]
) -> pd.DataFrame:
    """Read a text file of a known format into a table with columns called ``names``.

    Raises
    ------
    ValueError
        If a row has more fields than the header, a quotation mark is not closed, or the encoding
        is not that of the file.
    """
    options = _options(text_format, names)
    if len(text_format.first_row) > len(names):
        raise ValueError(
            _too_many_fields("the first row", len(text_format.first_row), len(names), text_format)
        )
    try:
        table = read_in_parts(open_file, low_memory=False, **_EXACT_FLOATS, **options)
    except pd.errors.ParserError as error:
        raise ValueError(_in_plain_words(str(error), text_format)) from None
    except UnicodeDecodeError:
        raise ValueError(
            f"its characters are not all {text_format.encoding}: name the encoding "
            "(--read encoding=...)"
        ) from None
    return _ungrouped(table, text_format.decimal)


def read_words(
    open_file: Callable[[], BinaryIO], text_format: TextFormat, names: Sequence[str], column: str
) -> pd.Series:
    """Read one column of a text file as it is written; only empty fields are missing."""
    with open_file() as file:
        table = pd.read_csv(
            file,
            usecols=[column],
            dtype=str,
            na_values=[""],
            keep_default_na=False,
            **_options(text_format, names),
        )
    return table[column]


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


def _in_plain_words(message: str, text_format: TextFormat) -> str:
    fields = re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", message)
    if fields:
        expected, line, found = map(int, fields.groups())
        return _too_many_fields(f"line {line}", found, expected, text_format)
    if "EOF inside string" in message:
        return "a quotation mark is opened and never closed"
    return f"it is no table of text ({' '.join(message.split())})"


def _too_many_fields(where: str, found: int, expected: int, text_format: TextFormat) -> str:
    separators = SEPARATORS.get(text_format.separator, f"'{text_format.separator}'")
    return (
        f"{where} has {found} fields, but the header names {expected}: correct it, put fields "
        f"that hold {separators} into quotes, or name another separator (--read separator=...)"
    )


def with_late_commas(table: pd.DataFrame) -> pd.DataFrame:
    """Convert text columns of numbers whose first decimal comma stands far down into floats.

    So far down that the format was recognised before it.
    """
    for name in table.columns[[pd.api.types.is_string_dtype(kind) for kind in table.dtypes]]:
        text = table[name].dropna().astype(str)
        if not len(text) or not _LATE_COMMAS.fullmatch(text.iloc[0]):
            continue  # as most columns
        if text.str.fullmatch(_LATE_COMMAS).all():
            numbers = text.str.replace(",", ".").astype("float64")
            table[name] = numbers.reindex(table.index)
    return table


def _ungrouped(table: pd.DataFrame, decimal: str) -> pd.DataFrame:
    """Convert text columns of numbers such as 1,234.5 (here with this decimal mark) into floats."""
    grouped = _GROUPED.get(decimal)
    if grouped is None:
        return table
    group = "," if decimal == "." else "."
    number = rf"[+-]?\d+({re.escape(decimal)}\d+)?"
    for name in table.columns[[pd.api.types.is_string_dtype(kind) for kind in table.dtypes]]:
        text = table[name].dropna()
        first = str(text.iloc[0]) if len(text) else ""
        if not (grouped.fullmatch(first) or re.fullmatch(number, first)):
            continue  # as most columns, of which there may be thousands
        text = text.astype(str)
        plain = text.str.replace(group, "").str.replace(decimal, ".")
        is_grouped = text.str.fullmatch(grouped)
        if not is_grouped.any():
            continue
        if (is_grouped | text.str.fullmatch(number)).all():
            table[name] = plain.astype("float64").reindex(table.index)
    return table
