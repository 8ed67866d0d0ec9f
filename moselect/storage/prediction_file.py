"""Tables of predictions, in the form that the name of the file asks for."""

from __future__ import annotations

import datetime
import gzip
import io
import re
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from moselect.storage.atomic import check_file_path, is_stream, replacing
from moselect.storage.csv_text import as_csv

SUFFIXES = (".csv", ".csv.gz", ".tsv", ".parquet", ".xlsx")
STEERING = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes such text for a formula
MOST_CHARACTERS = 32_767
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
STEERS_TERMINALS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
ESCAPED = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
MOST_SHEET_ROWS = 1_048_575
MOST_WHOLE = 2**53  # numbers in workbooks are floats


def check_prediction_path(path: Path, *, overwrite: bool = False) -> None:
    """Raise ValueError if no table can be written to ``path``, or there is a file already.

    Examples
    --------
    >>> check_prediction_path(Path("predictions.doc"))
    Traceback (most recent call last):
    ValueError: cannot write 'predictions.doc': its name must end in .csv, .csv.gz, .tsv, ...
    """
    check_file_path(path, replace=overwrite)
    if _suffix(path) is None and not is_stream(path):
        raise ValueError(f"cannot write '{path}': its name must end in {', '.join(SUFFIXES)}")


def write_predictions(path: Path, table: pd.DataFrame) -> None:
    """Write a table to a file, complete or not at all.

    In CSV files and workbooks text stays text: see `spreadsheet_csv`. Pipes and devices get CSV.

    Raises
    ------
    ValueError
        If the suffix is unknown, the table does not fit into the format, or the package that writes
        it is missing.

    Examples
    --------
    >>> import tempfile
    >>> table = pd.DataFrame({"score": [0.5], "class": ["low"]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_predictions(Path(folder) / "predictions.csv", table)
    ...     (Path(folder) / "predictions.csv").read_text().splitlines()
    ['score,class', '0.5,low']
    """
    suffix = _suffix(path)
    if suffix == ".parquet":
        content = _parquet(table)
    elif suffix == ".xlsx":
        content = workbook(table, "Predictions")
    else:
        content = spreadsheet_csv(table, "\t" if suffix == ".tsv" else ",").encode()
    if suffix == ".csv.gz":
        content = gzip.compress(content, mtime=0)
    with replacing(path) as file:
        file.write(content)


def spreadsheet_csv(table: pd.DataFrame, separator: str = ",") -> str:
    r"""Return a table as CSV in which no text is a formula to a spreadsheet or steers a terminal.

    An apostrophe is put before text, names of columns included, that begins with ``=``, ``+``,
    ``-``, ``@``, a tab or a carriage return, unless all of it is a number. Control characters other
    than tabs and ends of lines are shown by their numbers, such as ``\x1b``.

    Examples
    --------
    >>> import pandas as pd
    >>> print(spreadsheet_csv(pd.DataFrame({"note": ["=1+1", "-5"]})))
    note
    '=1+1
    -5
    """
    safe = table.rename(columns=lambda name: _as_plain_text(str(name)))
    for j, kind in enumerate(table.dtypes):
        if not (pd.api.types.is_numeric_dtype(kind) or pd.api.types.is_datetime64_any_dtype(kind)):
            # With dtype object, integers beside blanks stay integers.
            texts = [_as_plain_text(value) for value in table.iloc[:, j]]
            safe.isetitem(j, np.array([*texts, None], dtype=object)[:-1])
    return as_csv(safe, separator).decode()


def unescaped(value: Any) -> Any:
    """Return a cell of `spreadsheet_csv` as it was before.

    Examples
    --------
    >>> unescaped("'+"), unescaped("high")
    ('+', 'high')
    """
    escaped = isinstance(value, str) and value[:1] == "'" and value[1:].startswith(STEERING)
    return value[1:] if escaped else value


def cell_text(text: str) -> str:
    """Return text as a cell of a workbook holds it, where ``_x0041_`` stands for a character.

    Raises
    ------
    ValueError
        If it has control characters or more than 32,767 characters.

    Examples
    --------
    >>> cell_text("mid")
    'mid'
    """
    if CONTROL.search(text) or len(text) > MOST_CHARACTERS:
        raise ValueError(
            f"a cell of a workbook cannot hold {text[:50]!r}: it has control characters or is too "
            "long"
        )
    return ESCAPED.sub("_x005F_", text).replace("\r", "_x000D_")


def _as_plain_text(value: Any) -> Any:
    if isinstance(value, str):
        value = STEERS_TERMINALS.sub(lambda found: f"\\x{ord(found[0]):02x}", value)
    return _as_text(value)


def _as_text(value: Any) -> Any:
    if not isinstance(value, str) or not value.startswith(STEERING):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def _suffix(path: Path) -> str | None:
    return next((end for end in SUFFIXES if path.name.lower().endswith(end)), None)


def _parquet(table: pd.DataFrame) -> bytes:
    try:
        import pyarrow as pa
    except ImportError:
        raise ValueError("Parquet needs pyarrow: pip install 'moselect[parquet]'") from None
    for j, kind in enumerate(table.dtypes):
        if not pd.api.types.is_object_dtype(kind):
            continue
        column: pd.Series = table.iloc[:, j]
        try:
            pa.array(column, from_pandas=True)
        except (pa.ArrowException, OverflowError):  # numbers beside text, or of too many digits
            table = table.copy(deep=False)
            table.isetitem(j, column.map(str, na_action="ignore").to_numpy())
    content = io.BytesIO()
    table.to_parquet(content, engine="pyarrow", index=False)
    return content.getvalue()


def _fits_a_cell(value: Any) -> bool:
    """Return whether a cell of a workbook holds a value as it is; all else becomes text in it."""
    if isinstance(value, int):
        return abs(value) <= MOST_WHOLE
    if isinstance(value, datetime.datetime):  # NaT is one, too
        return value.tzinfo is None and value == value
    return isinstance(value, datetime.date | datetime.time) or (
        isinstance(value, float) and isfinite(value)
    )


def workbook(table: pd.DataFrame, title: str) -> bytes:
    """Return a table as a workbook of one sheet, in which text stays text."""
    try:
        from openpyxl import Workbook
        from openpyxl.cell import WriteOnlyCell
    except ImportError:
        raise ValueError("workbooks need openpyxl: pip install 'moselect[excel]'") from None
    if len(table) > MOST_SHEET_ROWS:
        raise ValueError(f"a sheet takes {MOST_SHEET_ROWS} rows, but there are {len(table)}")
    # All cells before the first is written: openpyxl cannot drop half a sheet without a traceback.
    rows = [[_cell(str(name)) for name in table.columns]]
    rows += [
        [_cell(value) for value in row]
        for row in table.astype(object).itertuples(index=False, name=None)
    ]
    book = Workbook(write_only=True)
    sheet = book.create_sheet(title)

    def made(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        cell = WriteOnlyCell(sheet, value)
        cell.data_type = "s"  # also if it begins with "="
        return cell

    for row in rows:
        sheet.append([made(value) for value in row])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _cell(value: Any) -> Any:
    """Return a value as a cell of a workbook holds it: itself, text, or None."""
    if _fits_a_cell(value):
        return value
    if pd.api.types.is_scalar(value) and pd.isna(value):
        return None
    return cell_text(str(value))
