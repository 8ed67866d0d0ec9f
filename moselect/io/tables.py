"""Tables as files and text, without formulas of spreadsheets and control sequences of terminals."""

import csv
import io
import re
from collections.abc import Callable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import infer_dtype, is_numeric_dtype, is_object_dtype, is_scalar

from moselect.io.atomic import check_suffix, write_file

SUFFIXES = (".csv", ".parquet", ".xlsx")
MAX_EXACT_INTEGER = 2**53  # numbers in workbooks are floats
STEERING = tuple("=+-@\t\r")  # first characters of formulas in spreadsheets
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def write_predictions(
    path: Path,
    table: pd.DataFrame,
    *,
    separator: str = ",",
    decimal: str = ".",
    overwrite: bool = False,
) -> None:
    """Write a table to a file atomically.

    In CSV files and workbooks text stays text: no cell is a formula.

    Parameters
    ----------
    path : Path
        The file, whose name ends in ``.csv``, ``.parquet`` or ``.xlsx``.
    table : DataFrame
        The table; its index is left out.
    separator, decimal : str
        Field separator and decimal mark of text files.
    overwrite : bool, default=False
        Whether an existing file may be replaced.

    Raises
    ------
    ValueError
        If the suffix is unknown, the table does not fit into the format, the file exists,
        or the package that writes it is missing.

    Examples
    --------
    >>> import tempfile
    >>> table = pd.DataFrame({"score": [0.5], "class": ["low"]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_predictions(Path(folder) / "predictions.csv", table)
    ...     (Path(folder) / "predictions.csv").read_text().splitlines()
    ['score,class', '0.5,low']
    """
    suffix = check_suffix(path, SUFFIXES)
    if suffix == ".parquet":
        content = _parquet(table)
    elif suffix == ".xlsx":
        content = workbook({"Predictions": table})
    else:
        content = as_csv(table, separator, decimal)
    write_file(path, content, overwrite=overwrite)


def _parquet(table: pd.DataFrame) -> bytes:
    table = table.copy(deep=False)
    # Numbers beside text, or of many digits, become text.
    for j, (_, column) in enumerate(table.items()):
        content_type = infer_dtype(column) if is_object_dtype(column.dtype) else ""
        if content_type.startswith(("mixed", "integer")):
            table.isetitem(j, column.map(str, na_action="ignore").to_numpy())
    content = io.BytesIO()
    # pyarrow is an extra.
    try:
        table.to_parquet(content, engine="pyarrow", index=False)
    except ImportError:
        raise ValueError(
            "Parquet needs pyarrow: pip install 'moselect[parquet]'"
        ) from None
    return content.getvalue()


def workbook(tables: Mapping[str, pd.DataFrame]) -> bytes:
    """Write tables to the sheets of a workbook, in which text is never a formula."""
    content = io.BytesIO()
    try:
        with pd.ExcelWriter(content, engine="openpyxl") as book:
            for name, table in tables.items():
                cells = _with_texts(table, _cell)
                cells.to_excel(book, sheet_name=name, index=False)
                for cell in chain.from_iterable(book.sheets[name].iter_rows()):
                    if cell.data_type == "f":  # text that begins with "="
                        cell.data_type = "s"
    except ImportError:
        raise ValueError(
            "workbooks need openpyxl: pip install 'moselect[excel]'"
        ) from None
    return content.getvalue()


def _cell(value: Any) -> float | str | None:
    """Convert a value to a cell of a workbook: a number, text, or None."""
    if isinstance(value, float) or (
        isinstance(value, int) and abs(value) <= MAX_EXACT_INTEGER
    ):
        return value
    if is_scalar(value) and pd.isna(value):
        return None
    return _shown(str(value))


def as_csv(table: pd.DataFrame, separator: str = ",", decimal: str = ".") -> bytes:
    r"""Format a table as CSV without its index, in which no cell is a formula or steers.

    Text and column names that begin with ``=``, ``+``, ``-``, ``@``, a tab or a carriage
    return get a leading apostrophe, except numbers. Control characters other than tabs and
    ends of lines are escaped, such as ``\x1b``.
    """
    table = _with_texts(table, _safe)
    form: dict[str, Any] = {"sep": separator, "decimal": decimal, "lineterminator": "\n"}
    text = table.to_csv(index=False, **form)
    if (
        "\r" in text
    ):  # Python quotes a line feed by itself, but a carriage return ends a row, too
        text = table.to_csv(index=False, quoting=csv.QUOTE_NONNUMERIC, **form)
    return text.encode()


def _with_texts(table: pd.DataFrame, change: Callable[[Any], object]) -> pd.DataFrame:
    """Apply a function to the column names, and to all cells except numbers and times."""
    changed = table.rename(columns=lambda name: change(str(name)))
    for j, dtype in enumerate(table.dtypes):
        is_time = isinstance(dtype, np.dtype) and dtype.kind == "M"  # of no zone
        if not (is_time or is_numeric_dtype(dtype)):
            # With dtype object, integers beside blanks stay integers.
            cells = [*map(change, table.iloc[:, j]), None]
            changed.isetitem(j, np.array(cells, object)[:-1])
    return changed


def unescaped(value: object) -> object:
    """Remove the leading apostrophe of `as_csv` from a cell."""
    if isinstance(value, str) and value[:1] == "'" and value[1:].startswith(STEERING):
        return value[1:]
    return value


def _shown(text: str) -> str:
    return CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", text)


def _safe(value: object) -> object:
    if not isinstance(value, str):
        return value
    value = _shown(value)
    # Numbers with a sign are no formulas.
    if value.startswith(STEERING):
        try:
            float(value)
        except ValueError:
            return f"'{value}"
    return value
