"""Tables in files."""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import Any

import pandas as pd

from moselect.datasets.parts import read_in_parts

# From 3.1 on pandas always reads floats to the last bit, and warns if asked to.
_OLD_PANDAS = tuple(int(part) for part in pd.__version__.split(".")[:2]) < (3, 1)
_EXACT_FLOATS: dict[str, Any] = {"float_precision": "round_trip"} if _OLD_PANDAS else {}


def read_table(path: str | os.PathLike[str]) -> pd.DataFrame:
    r"""Read a CSV or Parquet file.

    Parameters
    ----------
    path : str or path
        A file that ends in ``.csv``, ``.csv.gz`` or ``.parquet``. The first line of a CSV file
        names the columns; its numbers are read to the last bit.

    Returns
    -------
    DataFrame
        The table, its column names strings and all different.

    Raises
    ------
    ValueError
        If there is no such file, its format is unknown or broken, a column has no name or the name
        of another one, or pyarrow is missing for a Parquet file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "grades.csv"
    ...     _ = path.write_text("hours,grade\n1.5,2\n")
    ...     read_table(path).to_dict("list")
    {'hours': [1.5], 'grade': [2]}
    """
    path = Path(path)
    if path.is_dir():
        raise ValueError(f"'{path}' is a folder: give a file in it")
    if not path.exists():
        raise ValueError(f"there is no file '{path}'")
    name = path.name.lower()
    try:
        if name.endswith((".csv", ".csv.gz")):
            return _read_csv(path)
        if name.endswith(".parquet"):
            return _read_parquet(path)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise ValueError(f"cannot read '{path}': {' '.join(str(error).split())}") from error
    raise ValueError(f"cannot read '{path}': its name must end in .csv, .csv.gz or .parquet")


def _read_csv(path: Path) -> pd.DataFrame:
    try:
        # Two lines read as they stand: later pandas renames columns that have no name or one
        # already taken, and takes surplus fields for a row index, which would shift all names.
        top = pd.read_csv(path, header=None, nrows=2, dtype=str, keep_default_na=False)
    except pd.errors.EmptyDataError:
        raise ValueError("the file is empty") from None
    _check_names(top.iloc[0].tolist())
    return read_in_parts(path, low_memory=False, **_EXACT_FLOATS)


def _read_parquet(path: Path) -> pd.DataFrame:
    try:
        table = pd.read_parquet(path, engine="pyarrow")
    except ImportError:
        raise ValueError("Parquet needs pyarrow: pip install 'moselect[parquet]'") from None
    table.columns = pd.Index([str(name) for name in table.columns])
    _check_names(table.columns.tolist())
    return table


def _check_names(names: list[str]) -> None:
    seen: set[str] = set()
    for position, name in enumerate(names, start=1):
        if not name.strip():
            raise ValueError(
                f"column {position} has no name: name it, or leave it out "
                "if it is a saved row index (to_csv(..., index=False))"
            )
        if name in seen:
            raise ValueError(f"two columns are called '{name}': rename or drop one")
        seen.add(name)
