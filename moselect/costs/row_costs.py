"""Costs of each row of a table: by expressions of its columns, or by a function."""

import ast
import re
from collections.abc import Mapping
from functools import cached_property, reduce
from typing import Any

import numpy as np
import pandas as pd
from msgspec import Struct

from moselect._types import Array, Floats, Table
from moselect.listing import listing, short, suggestion
from moselect.tables.cells import as_frame, read_numbers
from moselect.tables.levels import group_places

OPERATORS: dict[type, np.ufunc] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.USub: np.negative,
    ast.UAdd: np.positive,
}
FUNCTIONS: dict[str, np.ufunc] = {"min": np.minimum, "max": np.maximum}
# A column in quotation marks, or as it is written; or a number, whose letters are no name, or a
# function.
NAME = re.compile(
    r"(?P<mark>[`'\"])(?P<quoted>.*?)(?P=mark)|[\d.][\w.]*|(min|max)\b(?=\s*\()"
    r"|(?P<name>[^\W\d]\w*)",
    re.DOTALL,
)


class CostExpression:
    """Expression of columns: numbers, names, + - * / ( ), min and max.

    Names of columns with blanks or signs stand in backticks or quotes.

    Parameters
    ----------
    text : str or float
        The expression.

    Attributes
    ----------
    columns : list of str
        Names of the columns, in their order.

    Raises
    ------
    ValueError
        If the text is no such expression.

    Examples
    --------
    >>> cost = CostExpression("max(0.3 * `claim amount`, 50)")
    >>> cost.columns, cost({"claim amount": np.array([100.0, 1000.0])})
    (['claim amount'], array([ 50., 300.]))
    """

    def __init__(self, text: object) -> None:
        self.text = str(text)
        # Python's own parser finds the tree; the tree is checked node by node, and no code is
        # made of it.
        # It would write names in another form (NFKC), so that it is given others for them.
        self._names: dict[str, str] = {}
        try:
            parts = NAME.sub(self._named, self.text.strip())
            if "#" in parts:
                raise SyntaxError  # a comment
            self._tree = ast.parse(parts.strip(), mode="eval").body
            self.columns = list(dict.fromkeys(self._names.values()))
            self(dict.fromkeys(self.columns, np.nan))
        except (SyntaxError, ValueError):
            raise ValueError(
                f"the cost {short(self.text)!r} cannot be read: write numbers, columns (with "
                "blanks in backticks), + - * / ( ), min and max"
            ) from None

    def _named(self, found: re.Match[str]) -> str:
        """Replace the name of a column by an identifier; return other matches unchanged."""
        written = found["name"] or found["quoted"]
        if written is None:
            return found[0]
        name = f" column{len(self._names)} "
        self._names[name.strip()] = written
        return name

    def __call__(self, values: Mapping[str, Floats | float]) -> Floats:
        """Compute the expression for columns (n,); NaN and infinities propagate."""

        def value(node: ast.expr) -> Any:
            match node:
                case ast.Name(id=name):
                    return values[self._names[name]]
                case ast.Constant(value=number) if type(number) in (int, float):
                    return float(number)  # type: ignore[arg-type]
                case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
                    return OPERATORS[type(op)](value(operand))
                case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                    return OPERATORS[type(op)](value(left), value(right))
                case ast.Call(ast.Name(name), [_, *_], []) if name in FUNCTIONS:
                    return reduce(FUNCTIONS[name], map(value, node.args))
            raise SyntaxError

        with np.errstate(all="ignore"):
            return value(self._tree)


class RowCosts(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """Cost matrices of the rows of a table, as a model's file holds them.

    Attributes
    ----------
    cost_matrix : list of list of str or float, (r, r)
        Costs as given, rows true classes: expressions of columns, such as
        ``"0.3 * amount + 50"``. In place of them, but in no file, a function from a table
        to (n, r, r).
    refer : list of float, (r,), or None
        Cost of referring a row of each class for review, the same for all rows.
    ratios : list of float, (r,), or float
        Prior of each class over its share in the training table.
    prices : list of list of float, (r, a), or float
        Costs that limits add to each cell.
    groups : dict of str to dict
        By column and group: costs (r, a) that limits in groups add to each cell.

    Examples
    --------
    >>> costs = RowCosts([["0", "50"], ["amount", "0"]])
    >>> costs(pd.DataFrame({"amount": [20.0, 80.0]}))[:, 1, 0]
    array([20., 80.])
    """

    cost_matrix: list[list[str | float]]
    refer: list[float] | None = None
    ratios: list[float] | float = 1.0
    prices: list[list[float]] | float = 0.0
    groups: dict[str, dict[str, list[list[float]]]] = {}

    @cached_property
    def _cells(self) -> dict[tuple[int, ...], CostExpression]:
        """The expression of each cell."""
        cells = np.ndenumerate(np.asarray(self.cost_matrix, object))
        return {place: CostExpression(cell) for place, cell in cells}

    @property
    def columns(self) -> list[str]:
        """Names of the columns that expressions and groups take; a function names none."""
        return list(dict.fromkeys([*self._cost_columns, *self.groups]))

    @property
    def _cost_columns(self) -> list[str]:
        """Names of the columns that the expressions take."""
        if callable(self.cost_matrix):
            return []
        return [name for cell in self._cells.values() for name in cell.columns]

    def __str__(self) -> str:
        texts = ["a function"]
        if not callable(self.cost_matrix):
            texts = [cell.text for cell in self._cells.values() if cell.columns]
        limits = [f"limits by {name}" for name in self.groups]
        return ", ".join(dict.fromkeys([*texts, *limits]))

    def __call__(self, table: Table) -> Floats:
        """Compute the costs (n, r, a) in use of the decisions for each row of a table.

        ValueError if a row has no costs.
        """
        costs, reasons = self.read(table)
        for row in np.flatnonzero(reasons != "")[:1]:
            raise ValueError(f"row {row + 1} has no costs: {reasons[row]}")
        costs = costs * np.reshape(self.ratios, (-1, 1)) + np.asarray(self.prices)
        for name, increases in self.groups.items():
            places = group_places(as_frame(table)[name], [*increases])
            costs = costs + np.array([*increases.values()])[places]
        return costs

    def read(self, table: Table) -> tuple[Floats, Array]:
        """Compute the costs (n, r, a) as given, and the reasons (n,) of rows without any.

        ValueError if a column is missing, or holds text.
        """
        table = as_frame(table)
        reasons = np.full(len(table), "", object)
        for name, increases in self.groups.items():
            _check_column(table, name)
            unknown = group_places(table[name], [*increases]) < 0
            reasons[unknown] = f"its {name!r} is no group of the limits"
        if callable(self.cost_matrix):
            costs = np.asarray(self.cost_matrix(table), float)
        else:
            values = {name: _numbers(table, name, reasons) for name in self._cost_columns}
            costs = np.empty((len(table), *np.shape(self.cost_matrix)))
            for (y, k), cell in self._cells.items():
                costs[:, y, k] = cell(values)
        if costs.shape != (len(table), *costs.shape[-1:] * 2):
            raise ValueError(
                f"the costs of each row have shape {costs.shape}, of {len(table)} rows: give "
                "(n, r, r)"
            )
        right = np.diagonal(costs, axis1=1, axis2=2)[:, :, None]
        wrong = {
            "a cost is missing or infinite": ~np.isfinite(costs),
            "a cost is negative": costs < 0.0,
            "being right costs more than a mistake": costs < right,
        }
        for reason, cells in wrong.items():
            reasons[cells.any(axis=(1, 2)) & (reasons == "")] = reason
        if self.refer is not None:
            column = np.tile(self.refer, (len(costs), 1))[:, :, None]
            costs = np.concatenate([costs, column], axis=2)
        return costs, reasons


def _check_column(table: pd.DataFrame, name: str) -> None:
    """Raise ValueError if a column is missing."""
    if name not in table:
        raise ValueError(
            f"the costs need the column {name!r}{suggestion(name, table.columns)}: the table has "
            f"{listing(table.columns, limit=20)}"
        )


def _numbers(table: pd.DataFrame, name: str, reasons: Array) -> Floats:
    """Return the numbers (n,) of a column; fill the reasons of rows without any."""
    _check_column(table, name)
    values, is_text = read_numbers(table[name])
    if is_text.all() and len(table):
        raise ValueError(
            f"the costs take the column {name!r}, which is text: they are made of numbers"
        )
    for row in np.flatnonzero(is_text & (reasons == "")):
        reasons[row] = f"{name!r} of its costs is {str(table[name].iloc[row])[:50]!r}"
    reasons[np.isnan(values) & (reasons == "")] = f"{name!r} of its costs is missing"
    return values
