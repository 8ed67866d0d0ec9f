"""Cost matrices in files: what a spreadsheet saves, with or without labels."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from moselect.datasets.files.tables import read_cells
from moselect.storage.atomic import check_file_path, replacing
from moselect.storage.prediction_file import workbook
from moselect.storage.table_text import spreadsheet_csv

CORNER = "true class \\ predicted"
NUMBER = re.compile(r"[+-]?[\d.,]+([eE][+-]?\d+)?")
TRANSPOSED = re.compile(r"\W*pred.*\b(true|actual|observed)", re.IGNORECASE)

Grid = list[list[str]]


def read_cost_matrix(path: Path, classes: Sequence[Any]) -> NDArray[np.float64]:
    r"""Read a cost matrix from a file: true classes go down, predicted ones across.

    Parameters
    ----------
    path : Path
        A file as `moselect.datasets.read_table` reads them, of a workbook the first sheet. Labels
        may stand in the first row, in the first column, or in both, in any order; without labels
        the order is that of ``classes``.
    classes : sequence
        Class labels, lowest first.

    Returns
    -------
    ndarray of shape (r, r)
        Costs in the order of ``classes``.

    Warns
    -----
    UserWarning
        If being right costs something.

    Raises
    ------
    ValueError
        If the file cannot be read, has another number of rows or columns, a label that is no class
        or stands there twice, or a cell that is no finite number.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "costs.csv"
    ...     _ = path.write_text(";low;high\nlow;0;1,5\nhigh;5;0\n")
    ...     read_cost_matrix(path, ["low", "high"])
    array([[0. , 1.5],
           [5. , 0. ]])
    """
    path = Path(path)
    names = [str(label) for label in classes]
    r = len(names)
    try:
        grid = read_cells(path)
        rows, columns, body = _take_labels(grid, names)
        if len(body) != r or any(len(row) != r for row in body):
            widths = " or ".join(map(str, sorted({*map(len, body)})))
            raise ValueError(
                f"it has {len(body)} rows of {widths or 'no'} numbers, but there are {r} classes"
            )
        matrix = np.empty((r, r))
        for true, row in zip(rows, body, strict=True):
            for predicted, text in zip(columns, row, strict=True):
                matrix[true, predicted] = _cost(text, names[true], names[predicted])
    except OSError as error:
        raise ValueError(f"cannot read the costs '{path}': {error.strerror}") from None
    except ValueError as error:
        raise ValueError(
            f"'{path}' is no cost matrix: {error}; true classes go down, predicted ones across"
        ) from None
    charged = np.flatnonzero(np.diag(matrix))
    if len(charged):
        listed = ", ".join(names[k] for k in charged)
        warnings.warn(
            f"'{path}' has costs of being right (class {listed}): usually the diagonal is 0",
            UserWarning,
            stacklevel=2,
        )
    return matrix


def write_cost_template(classes: Sequence[Any], path: Path, *, overwrite: bool = False) -> None:
    """Write a cost matrix to fill in: labels on both sides, 0 for being right, else the distance.

    Parameters
    ----------
    classes : sequence
        Class labels, lowest first.
    path : Path
        A file that ends in ``.csv`` or ``.xlsx``.
    overwrite : bool, default=False
        Whether a file of that name may be replaced.

    Raises
    ------
    ValueError
        If the suffix is another one, or the file exists.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_cost_template(["low", "mid", "high"], Path(folder) / "costs.csv")
    ...     read_cost_matrix(Path(folder) / "costs.csv", ["low", "mid", "high"])
    array([[0., 1., 2.],
           [1., 0., 1.],
           [2., 1., 0.]])
    """
    path = Path(path)
    if path.suffix.lower() not in (".csv", ".xlsx"):
        raise ValueError(f"cannot write '{path}': its name must end in .csv or .xlsx")
    check_file_path(path, replace=overwrite)
    names = [str(label) for label in classes]
    ranks = np.arange(len(names))
    distances = np.abs(np.subtract.outer(ranks, ranks))
    table = pd.DataFrame(distances, columns=names)
    table.insert(0, CORNER, names, allow_duplicates=True)
    if path.suffix.lower() == ".csv":
        # With a byte order mark Excel reads names in UTF-8.
        content = spreadsheet_csv(table).encode("utf-8-sig")
    else:
        content = workbook(table, "Costs")
    with replacing(path, overwrite=overwrite) as file:
        file.write(content)


def _take_labels(grid: Grid, names: list[str]) -> tuple[list[int], list[int], Grid]:
    """Return the classes of the rows and of the columns, and the cells between them."""
    r = len(names)
    named = grid[0][1:] if grid else []
    lacking = [name for name in names if name.strip() not in named]
    labelled = bool(grid) and grid[0][0] not in names and not NUMBER.fullmatch(grid[0][0])
    if labelled and 1 < len(named) < r and len(named) + len(lacking) == r:
        raise ValueError(f"it lacks a column for class {', '.join(lacking)[:200]}")
    tall, wide = len(grid) == r + 1, bool(grid) and max(map(len, grid)) == r + 1
    body = grid[1:] if tall else grid
    rows = columns = list(range(r))
    if wide:
        rows = _order([row[0] if row else "" for row in body], names, "first column")
        body = [row[1:] for row in body]
    if tall:
        if wide and TRANSPOSED.match(grid[0][0]):
            raise ValueError(f"by its corner, '{grid[0][0][:50]}', predicted classes go down")
        heading = grid[0][1:] if wide and len(grid[0]) == r + 1 else grid[0]
        columns = _order(heading, names, "first row")
    return rows, columns, body


def _order(found: list[str], names: list[str], where: str) -> list[int]:
    """Return the classes of labels, each once."""
    known = {name.strip(): k for k, name in enumerate(names)}
    # As `write_cost_template` writes what a spreadsheet would take for a formula.
    known = {f"'{name}": k for name, k in known.items()} | known
    for label in found:
        if label not in known:
            raise ValueError(
                f"'{label[:50]}' in its {where} is no class (classes: {', '.join(names)[:200]})"
            )
    order = [known[label] for label in found]
    if sorted(order) != list(range(len(names))):
        raise ValueError(f"its {where} must have each class once: {', '.join(names)[:200]}")
    return order


def _cost(text: str, true: str, predicted: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not isfinite(value):
        raise ValueError(f"the cost of class '{true}' predicted as '{predicted}' is '{text[:50]}'")
    return value
