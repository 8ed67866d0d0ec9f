"""Tables of predictions, in the form that the name of the file asks for."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from moselect.storage.atomic import check_file_path, replacing
from moselect.storage.table_text import cell_text, spreadsheet_csv

SUFFIXES = (".csv", ".csv.gz", ".tsv", ".parquet", ".xlsx")
MOST_WHOLE = 2**53  # numbers in workbooks are floats


def check_prediction_path(path: Path, *, overwrite: bool = False) -> str:
    """Return the suffix of a path; ValueError if no table can be written there."""
    check_file_path(path, replace=overwrite)
    for suffix in SUFFIXES:
        if path.name.lower().endswith(suffix):
            return suffix
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
    suffix = check_prediction_path(path, overwrite=overwrite)
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


def _parquet(table: pd.DataFrame) -> bytes:
    table = table.copy(deep=False)
    for j, kind in enumerate(table.dtypes):  # numbers beside text, or of many digits, become text
        values = pd.api.types.infer_dtype(table.iloc[:, j], skipna=True)
        if pd.api.types.is_object_dtype(kind) and values.startswith(("mixed", "integer")):
            table.isetitem(j, table.iloc[:, j].map(str, na_action="ignore").to_numpy())
    content = io.BytesIO()
    try:
        table.to_parquet(content, engine="pyarrow", index=False)
    except ImportError:
        raise ValueError("Parquet needs pyarrow: pip install 'moselect[parquet]'") from None
    return content.getvalue()


def workbook(table: pd.DataFrame, title: str) -> bytes:
    """Return a table as a workbook of one sheet, in which text stays text."""
    cells = table.rename(columns=lambda name: cell_text(str(name)))
    for j, kind in enumerate(table.dtypes):
        if not (
            pd.api.types.is_numeric_dtype(kind) or (isinstance(kind, np.dtype) and kind.kind == "M")
        ):
            cells.isetitem(j, np.array([*map(_cell, table.iloc[:, j]), None], dtype=object)[:-1])
    content = io.BytesIO()
    try:
        with pd.ExcelWriter(content, engine="openpyxl") as book:
            cells.to_excel(book, sheet_name=title, index=False)
            for row in book.sheets[title].iter_rows():
                for cell in row:
                    if cell.data_type == "f":  # text that begins with "="
                        cell.data_type = "s"
    except ImportError:
        raise ValueError("workbooks need openpyxl: pip install 'moselect[excel]'") from None
    return content.getvalue()


def _cell(value: Any) -> Any:
    """Return a value as a cell of a workbook holds it: a number, text, or None."""
    if isinstance(value, float) or (isinstance(value, int) and abs(value) <= MOST_WHOLE):
        return value
    if pd.api.types.is_scalar(value) and pd.isna(value):
        return None
    return cell_text(str(value))
