"""Tables in files of any kind."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypedDict, Unpack

import pandas as pd

from moselect._validation import shortened
from moselect.datasets.files.contents import STANDARD_INPUT, Content, find_content
from moselect.datasets.files.headers import without_unnamed, working_names
from moselect.datasets.files.text_files import read_text, read_words, with_late_commas
from moselect.datasets.files.text_format import recognise_format
from moselect.datasets.files.workbooks import read_sheet, read_sheet_words


class Reading(TypedDict, total=False):
    r"""Options that replace what would be recognised in a file.

    ``separator``, ``decimal`` and ``encoding`` are for text files, ``sheet`` is for workbooks.

    Examples
    --------
    >>> from moselect.datasets import read_table
    >>> import pathlib, tempfile
    >>> reading: Reading = {"separator": ";", "decimal": ","}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "claims.csv"
    ...     _ = path.write_text("age;cost\n30;1,5\n40;2,5\n")
    ...     read_table(path, **reading)["cost"].tolist()
    [1.5, 2.5]
    """

    separator: str | None
    decimal: str | None
    encoding: str | None
    sheet: str | None


@dataclass(frozen=True, eq=False)
class TableFile:
    """A table, and how its file was read.

    Attributes
    ----------
    table : DataFrame
        The table, its column names strings and all different.
    notes : tuple of str
        Notes on what was recognised, a line each; empty for plain files.
    read_words : callable or None
        Reads one column, given by name, as it is written: words such as ``None`` and ``NA``, which
        count as missing otherwise, are text there. None if the types in the file say what is
        missing.
    """

    table: pd.DataFrame
    notes: tuple[str, ...] = ()
    read_words: Callable[[str], pd.Series] | None = None


def read_table(path: str | os.PathLike[str], **reading: Unpack[Reading]) -> pd.DataFrame:
    r"""Read a table from a file.

    Parameters
    ----------
    path : str or path
        A text file (``.csv``, ``.tsv``, ``.txt``, also with ``.gz`` behind it), an Excel or
        OpenDocument workbook, a Parquet or Feather file, or ``-`` for standard input. The first
        line of a text file names the columns; its separator, decimal mark and encoding are
        recognised, and numbers are read to the last bit.
    **reading
        ``separator``, ``decimal`` and ``encoding`` of a text file, ``sheet`` of a workbook, where
        they are not to be recognised.

    Returns
    -------
    DataFrame
        The table, its column names strings and all different.

    Raises
    ------
    ValueError
        If there is no such file, its format is unknown or broken, a column has no name or the name
        of another one, or a package is missing that reads such files.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "grades.csv"
    ...     _ = path.write_text("hours;grade\n1,5;2\n")
    ...     read_table(path).to_dict("list")
    {'hours': [1.5], 'grade': [2]}
    """
    return read_table_file(path, **reading).table


def read_table_file(path: str | os.PathLike[str], **reading: Unpack[Reading]) -> TableFile:
    """Read a table from a file, with notes on how; parameters and errors as in `read_table`."""
    name = os.fspath(path)
    shown = "standard input" if name == STANDARD_INPUT else f"'{name}'"
    if name != STANDARD_INPUT and Path(name).is_dir():
        raise ValueError(f"'{name}' is a folder: give a file in it")
    if name != STANDARD_INPUT and not Path(name).exists():
        raise ValueError(f"there is no file '{name}'")
    _check_reading(reading)
    try:
        content = find_content(name)
        _check_use(content.kind, reading)
        if content.kind == "text":
            return _from_text(content, reading)
        if content.kind == "workbook":
            return _from_workbook(content, reading.get("sheet"))
        return _from_arrow(content)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        said = " ".join(str(error).split())
        raise ValueError(f"cannot read {shown}: {shortened(said)}") from error


def _from_text(content: Content, reading: Reading) -> TableFile:
    text_format = recognise_format(
        content.open,
        separator=reading.get("separator"),
        decimal=reading.get("decimal"),
        encoding=reading.get("encoding"),
    )
    names = working_names(text_format.header)
    table, notes = without_unnamed(read_text(content.open, text_format, names))
    recognised = reading.get("decimal") is None and text_format.decimal == "."
    if recognised and text_format.separator != ",":
        table = with_late_commas(table)
    note = text_format.note()
    return TableFile(
        table,
        tuple(([note] if note else []) + notes),
        partial(read_words, content.open, text_format, names),
    )


def _from_workbook(content: Content, sheet: str | None) -> TableFile:
    header, body, note = read_sheet(content.open, sheet)
    names = working_names(header)
    table, notes = without_unnamed(body.set_axis(names, axis="columns"))
    return TableFile(
        table,
        tuple(([note] if note else []) + notes),
        lambda column: read_sheet_words(content.open, sheet, names.index(column)).rename(column),
    )


def _from_arrow(content: Content) -> TableFile:
    reader: Any = {"Parquet": pd.read_parquet, "Feather": pd.read_feather}[content.kind]
    options = {"engine": "pyarrow"} if content.kind == "Parquet" else {}
    try:
        with content.open() as file:
            table = reader(file, **options)
        import pyarrow

        pyarrow.default_memory_pool().release_unused()  # it keeps as much as the table takes
    except ImportError:
        raise ValueError(f"{content.kind} needs pyarrow: pip install 'moselect[parquet]'") from None
    except (MemoryError, NotImplementedError, KeyError, IndexError, TypeError) as error:
        raise ValueError(f"its {content.kind} is damaged, or of another version: {error}") from None
    except ValueError as error:
        if "Multiple matches" in str(error):
            raise ValueError("two of its columns have one name: rename or drop one") from None
        raise
    indices = [name for name in table.index.names if name is not None]
    if indices:  # pandas' own columns, which it keeps apart
        table = table.reset_index(level=indices)
    names = working_names([str(name).strip() for name in table.columns])
    table, notes = without_unnamed(table.set_axis(names, axis="columns"))
    return TableFile(table, tuple(notes))


def _check_use(kind: str, reading: Reading) -> None:
    """Raise ValueError if an option is for other kinds of files."""
    for option, value in reading.items():
        if value is not None and (option == "sheet") != (kind == "workbook"):
            raise ValueError(f"{option} is for {'workbooks' if option == 'sheet' else 'text'} only")
        if value is not None and kind not in ("workbook", "text"):
            raise ValueError(f"{option} is for text and workbooks only")


def _check_reading(reading: Reading) -> None:
    separator, decimal = reading.get("separator"), reading.get("decimal")
    if separator is not None and (len(separator) != 1 or not separator.isascii()):
        raise ValueError(
            f"the separator must be one character such as ; or | but not '{separator}'"
        )
    if separator in ("\n", "\r", '"', "\0"):
        raise ValueError(f"{separator!r} cannot be a separator: it has another meaning in a table")
    if decimal is not None and decimal not in (".", ","):
        raise ValueError(f"the decimal mark must be . or , and not '{decimal}'")
    if decimal is not None and decimal == separator:
        raise ValueError(f"'{decimal}' cannot be the separator and the decimal mark: name another")
