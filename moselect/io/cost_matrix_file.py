"""Cost matrices in text files and workbooks, with or without labels."""

import warnings
from collections.abc import Sequence
from itertools import compress
from pathlib import Path

import numpy as np
import pandas as pd

from moselect._types import Array
from moselect.costs.row_costs import CostExpression
from moselect.listing import listing
from moselect.tables.amounts import read_amounts, with_leading_sign
from moselect.tables.workbooks import read_cells


def read_cost_matrix(path: Path, classes: Sequence[object]) -> Array:
    r"""Read a cost matrix from a file: rows true classes, columns predicted classes.

    Parameters
    ----------
    path : Path
        A file as in `moselect.tables.read_table`; the first sheet of a workbook. Labels
        are in the first row and in the first column, in any order; without labels, costs
        are in the order of ``classes``.
    classes : sequence
        Class labels, lowest first.

    Returns
    -------
    ndarray of shape (r, r)
        Costs in the order of ``classes``: numbers, or, for costs of each row, objects, including
        expressions of columns, such as ``0.3 * amount + 50``.

    Warns
    -----
    UserWarning
        If a correct prediction has a cost.

    Raises
    ------
    ValueError
        If the file cannot be read, has another number of rows or columns, an unknown or
        repeated label, or a cell that is neither a finite number nor an expression.

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
    names = [with_leading_sign(str(label).strip()) for label in classes]
    try:
        matrix = _costs(read_cells(path), names)
    except OSError as error:
        raise ValueError(f"cannot read the costs '{path}': {error.strerror}") from None
    except ValueError as error:
        raise ValueError(
            f"'{path}' is not a valid cost matrix: {error}; rows are true classes, columns "
            "predicted classes"
        ) from None
    if matrix.dtype != object and (matrix < 0.0).any():
        if (np.diag(matrix) > matrix.min(axis=1)).any():
            raise ValueError(
                f"in '{path}' a mistake costs less than being right: if its numbers are gains, the "
                "higher the better, change their signs"
            )
        # A constant for each true class changes no decision.
        matrix = matrix - matrix.min(axis=1, keepdims=True)
        warnings.warn(
            f"'{path}' has negative costs, which are gains: the least cost of each true class is "
            "subtracted, which changes no decision, and the best prediction costs 0",
            stacklevel=2,
        )
    charged = [*compress(names, np.diag(matrix))]
    if charged:
        warnings.warn(
            f"'{path}' has costs of being right (class {listing(charged)}): usually the diagonal "
            "is 0",
            UserWarning,
            stacklevel=2,
        )
    return matrix


def _costs(grid: list[list[str]], names: list[str]) -> Array:
    """Parse the costs (r, r) in cells of text, with labels of rows and columns or without."""
    r = len(names)
    down = names
    across = names
    body = grid
    if len(grid) == r + 1:
        if "pred" in grid[0][0].lower().partition("true")[0]:
            raise ValueError(
                f"by its corner, '{grid[0][0][:50]}', predicted classes go down"
            )
        # the corner may be empty
        across = list(map(with_leading_sign, grid[0][-r:]))
        down = [with_leading_sign(row[0]) for row in grid[1:]]
        body = [row[1:] for row in grid[1:]]
    if len(body) != r or any(len(row) != r for row in body):
        widths = " or ".join(map(str, sorted({*map(len, body)})))
        raise ValueError(
            f"it has {len(body)} rows of {widths or 'no'} numbers, but there are {r} classes, with "
            "labels on both sides or on none"
        )
    # Labels of classes may differ in upper and lower case.
    written = {name.casefold(): name for name in names}
    if len(written) == r:
        down, across = (
            [written.get(label.casefold(), label) for label in labels]
            for labels in (down, across)
        )
    if not sorted(down) == sorted(across) == sorted(names):
        raise ValueError(f"its labels must be each class once: {', '.join(names)[:200]}")
    # Rows and columns are matched by label, in whatever order the file has them.
    cells = pd.DataFrame(body, down, across).loc[names, names]
    texts = pd.Series(cells.to_numpy().ravel())
    amounts = read_amounts(texts, known=True)
    # Cells that are no numbers may be expressions of columns.
    numbers = pd.to_numeric(texts if amounts is None else amounts[0], errors="coerce")
    costs = numbers.to_numpy(float).reshape(r, r)
    unread = np.argwhere(~np.isfinite(costs))
    if len(unread):
        costs = costs.astype(object)
    for i, j in unread:
        text = str(cells.iloc[i, j])
        try:
            costs[i, j] = CostExpression(text).text
        except ValueError:
            raise ValueError(
                f"the cost of class '{names[i]}' predicted as '{names[j]}' is '{text[:50]}', "
                "neither a number nor an expression of columns such as 0.3 * amount + 50"
            ) from None
    return costs
