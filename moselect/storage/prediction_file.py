"""Tables of predictions, in the form that the name of the file asks for."""

from __future__ import annotations

import datetime
import gzip
import io
from math import isfinite
from pathlib import Path
from typing import Any

import pandas as pd

from moselect.storage.atomic import check_file_path, replacing
from moselect.storage.table_text import cell_text, spreadsheet_csv

SUFFIXES = (".csv", ".csv.gz", ".tsv", ".parquet", ".xlsx")
MOST_SHEET_ROWS = 1_048_575
MOST_WHOLE = 2**53  # numbers in workbooks are floats


def check_prediction_path(path: Path, *, overwrite: bool = False) -> None:
    """Raise ValueError if no table can be written to ``path``, or there is a file already."""
    check_file_path(path, replace=overwrite)
    if _suffix(path) is None:
        raise ValueError(f"cannot write '{path}': its name must end in {', '.join(SUFFIXES)}")


def write_predictions(path: Path, table: pd.DataFrame, *, overwrite: bool = False) -> None:
    """Write a table to a file, complete or not at all.

    In CSV files and workbooks text stays text: no cell is a formula.

    Parameters
    ----------
    path : Path
        The file, whose name ends in ``.csv``, ``.csv.gz``, ``.tsv``, ``.parquet`` or ``.xlsx``.
    table : DataFrame
        The table; its index is left out.
    overwrite : bool, default=False
        Whether a file of that name may be replaced.

    Raises
    ------
    ValueError
        If the suffix is unknown, the table does not fit into the format, the file exists, or the
        package that writes it is missing.

    Examples
    --------
    >>> import tempfile
    >>> table = pd.DataFrame({"score": [0.5], "class": ["low"]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_predictions(Path(folder) / "predictions.csv", table)
    ...     (Path(folder) / "predictions.csv").read_text().splitlines()
    ['score,class', '0.5,low']
    """
    check_prediction_path(path, overwrite=overwrite)
    suffix = _suffix(path)
    if suffix == ".parquet":
        content = _parquet(table)
    elif suffix == ".xlsx":
        content = workbook(table, "Predictions")
    else:
        content = spreadsheet_csv(table, "\t" if suffix == ".tsv" else ",").encode()
    if suffix == ".csv.gz":
        content = gzip.compress(content, mtime=0)
    with replacing(path, overwrite=overwrite) as file:
        file.write(content)


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
    rows = [[cell_text(str(name)) for name in table.columns]]
    rows += [
        [_cell(value) for value in row]
        for row in table.astype(object).itertuples(index=False, name=None)
    ]
    book = Workbook(write_only=True)
    sheet = book.create_sheet(title)

    def as_text(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        cell = WriteOnlyCell(sheet, value)
        cell.data_type = "s"  # also if it begins with "="
        return cell

    for row in rows:
        sheet.append([as_text(value) for value in row])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _cell(value: Any) -> Any:
    """Return a value as a cell of a workbook holds it: itself, text, or None."""
    if isinstance(value, int):
        fits = abs(value) <= MOST_WHOLE
    elif isinstance(value, datetime.datetime):  # NaT is one, too
        fits = value.tzinfo is None and value == value
    elif isinstance(value, float):
        fits = isfinite(value)
    else:
        fits = isinstance(value, datetime.date | datetime.time)
    if fits:
        return value
    if pd.api.types.is_scalar(value) and pd.isna(value):
        return None
    return cell_text(str(value))
