"""Cost matrices in files: what a spreadsheet saves, with or without labels."""

from __future__ import annotations

import codecs
import csv
import io
import re
import warnings
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from moselect.datasets import check_archive
from moselect.storage.atomic import check_file_path, read_whole, replacing
from moselect.storage.damage import DAMAGE
from moselect.storage.prediction_file import cell_text, spreadsheet_csv_rows

CORNER = "true class \\ predicted"
LARGEST_FILE = 16 * 2**20  # bytes
SEPARATORS = (";", "\t", ",")
NUMBER = re.compile(r"[+-]?[\d.,]+([eE][+-]?\d+)?")
DECIMAL_COMMA = re.compile(r"[+-]?(\d+|[1-9]\d{0,2}(\.\d{3})+),\d+")
POINT_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+")  # thousands beside decimal commas
TRANSPOSED = re.compile(r"\W*pred.*\b(true|actual|observed)", re.IGNORECASE)
ENCODINGS = ("utf-8-sig", "cp1252")

Grid = list[list[str]]


def read_cost_matrix(path: Path, classes: Sequence[Any]) -> NDArray[np.float64]:
    """Read a cost matrix from a CSV file or a workbook.

    Parameters
    ----------
    path : Path
        The first sheet of an ``.xlsx`` file; any other file is text with commas, semicolons or
        tabs. True classes go down, predicted ones across. Labels may stand in the first row, in the
        first column, or in both, in any order; without labels the order is that of ``classes``.
        With semicolons or tabs a number may have a decimal comma.
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
    >>> import pandas as pd
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "costs.csv"
    ...     pd.DataFrame([[0, 1], [5, 0]], ["low", "high"], ["low", "high"]).to_csv(path)
    ...     read_cost_matrix(path, ["low", "high"])
    array([[0., 1.],
           [5., 0.]])
    """
    path = Path(path)
    names = [str(label) for label in classes]
    r = len(names)
    grid = _read_grid(path, r)
    try:
        rows, columns, body = _take_labels(grid, names)
        if len(body) != r or any(len(row) != r for row in body):
            widths = " or ".join(map(str, sorted({*map(len, body)})))
            raise ValueError(
                f"it has {len(body)} rows of {widths or 'no'} numbers, but there are {r} classes"
            )
        matrix = np.empty((r, r))
        for i, row in enumerate(body):
            for j, text in enumerate(row):
                true, predicted = rows[i], columns[j]
                matrix[true, predicted] = _cost(text, names[true], names[predicted])
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
    rows: list[list[Any]] = [[CORNER, *names]]
    rows += [[name, *(abs(i - j) for j in range(len(names)))] for i, name in enumerate(names)]
    if path.suffix.lower() == ".csv":
        # With a byte order mark Excel reads names in UTF-8.
        content = spreadsheet_csv_rows(rows).encode("utf-8-sig")
    else:
        content = _workbook(rows)
    with replacing(path) as file:
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
        value = np.nan if "_" in text else float(text)
    except ValueError:
        value = np.nan
    if not isfinite(value):
        raise ValueError(f"the cost of class '{true}' predicted as '{predicted}' is '{text[:50]}'")
    return value


def _read_grid(path: Path, r: int) -> Grid:
    """Return the cells as stripped text, without empty rows and columns at the end."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ValueError(f"'{path}' is no cost matrix: it has more than 16 MB")
        content = read_whole(path)
    except OSError as error:
        raise ValueError(f"cannot read the costs '{path}': {error.strerror}") from None
    grid = _sheet(path, content) if path.suffix.lower() == ".xlsx" else _csv(path, content, r)
    for row in grid:
        while row and not row[-1]:
            row.pop()
    return [row for row in grid if row]


def _csv(path: Path, content: bytes, r: int) -> Grid:
    marked = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16",) if marked else ENCODINGS:
        try:
            text = content.decode(encoding)
            break
        except UnicodeDecodeError:
            continue
    else:
        raise ValueError(f"'{path}' is no cost matrix: it is no text")
    grids = {}
    for separator in SEPARATORS:
        try:
            rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
        except csv.Error as error:
            raise ValueError(f"'{path}' is no cost matrix: {error}") from None
        grids[separator] = [[cell.strip() for cell in row] for row in rows]

    # The right separator gives rows of r cells, or one more for a label.
    def fit(mark: str) -> tuple[int, int]:
        widths = [len(row) for row in grids[mark]]
        return sum(width in (r, r + 1) for width in widths), sum(widths)

    separator = max(SEPARATORS, key=fit)
    found = grids[separator]
    if separator == "," or not any(DECIMAL_COMMA.fullmatch(cell) for row in found for cell in row):
        return found
    return [[_decimal_point(cell) for cell in row] for row in found]


def _decimal_point(cell: str) -> str:
    """Return a number such as 1.000,5 as 1000.5; all else as it is."""
    if DECIMAL_COMMA.fullmatch(cell) or POINT_GROUPS.fullmatch(cell):
        return cell.replace(".", "").replace(",", ".")
    return cell


def _sheet(path: Path, content: bytes) -> Grid:
    try:
        from openpyxl import load_workbook
        from openpyxl.utils.escape import unescape
    except ImportError:
        raise ValueError(f"'{path}' needs openpyxl: pip install 'moselect[excel]'") from None
    try:
        check_archive(io.BytesIO(content))
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        rows = list(book.worksheets[0].iter_rows(values_only=True))  # read only now
    except DAMAGE:
        raise ValueError(f"'{path}' is no cost matrix: it is no workbook, or damaged") from None
    return [["" if v is None else unescape(str(v)).strip() for v in row] for row in rows]


def _workbook(rows: list[list[Any]]) -> bytes:
    try:
        from openpyxl import Workbook
    except ImportError:
        raise ValueError("a workbook needs openpyxl: pip install 'moselect[excel]'") from None
    book = Workbook()
    for i, row in enumerate(rows, start=1):
        for j, value in enumerate(row, start=1):
            cell = book.active.cell(i, j)
            cell.value = cell_text(value) if isinstance(value, str) else value
            if isinstance(value, str):
                cell.data_type = "s"
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()
