"""Costs of each row of a table: by expressions of its columns, or by a function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from moselect._types import Floats, Integers
from moselect.listing import listing, suggestion
from moselect.metrics.cost_expressions import CostExpression
from moselect.metrics.costs import CostFunction, Costs, ResolvedCosts
from moselect.preprocessing.cells import as_frame, read_numbers
from moselect.samples.samples import Samples
from moselect.samples.validation import require_samples


@dataclass(frozen=True, eq=False)
class RowCosts:
    """Cost matrices of the rows of a table.

    Parameters
    ----------
    source : array-like of shape (r, r), or callable
        Expressions of columns, such as ``"0.3 * amount + 50"``; or a function from a table
        to cost matrices (n, r, r).
    refer : ndarray of shape (r,), optional
        Cost of referring a row of each class for review, the same for all rows.
    ratios : ndarray of shape (r,) or float, default=1.0
        Prior of each class over its share in the training table.
    prices : ndarray of shape (r, a) or float, default=0.0
        Costs that limits add to each cell.

    Examples
    --------
    >>> costs = RowCosts([["0", "50"], ["amount", "0"]])
    >>> costs(pd.DataFrame({"amount": [20.0, 80.0]}))[:, 1, 0]
    array([20., 80.])
    """

    source: ArrayLike | CostFunction
    refer: Floats | None = None
    ratios: Floats | float = 1.0
    prices: Floats | float = 0.0

    @cached_property
    def cells(self) -> list[list[CostExpression]]:
        """The expressions; none for a function."""
        if callable(self.source):
            return []
        rows = np.asarray(self.source, dtype=object).tolist()
        return [[CostExpression(cell) for cell in row] for row in rows]

    @property
    def columns(self) -> list[str]:
        """Names of the columns that the expressions take."""
        cells = (cell for row in self.cells for cell in row)
        return list(dict.fromkeys(name for cell in cells for name in cell.columns))

    def __call__(self, table: Any) -> Floats:
        """Compute the costs (n, r, a) of the decisions for each row of a table.

        ValueError if a row has no costs.
        """
        costs, reasons = self.read(table)
        wrong = np.flatnonzero(reasons != "")
        if len(wrong):
            raise ValueError(f"row {wrong[0] + 1} has no costs: {reasons[wrong[0]]}")
        return self.in_use(costs)

    def in_use(self, costs: Floats) -> Floats:
        """Weight costs (n, r, a) by the priors, and add the prices of limits."""
        return costs * np.reshape(self.ratios, (-1, 1)) + self.prices

    def read(self, table: Any) -> tuple[Floats, NDArray[Any]]:
        """Compute the costs (n, r, a) as given, and the reasons (n,) of rows without any.

        ValueError if a column is missing, or holds text.
        """
        table = as_frame(table)
        reasons = np.full(len(table), "", dtype=object)
        if callable(self.source):
            costs = np.asarray(self.source(table), dtype=np.float64)
            if costs.ndim != 3 or len(costs) != len(table):
                raise ValueError(
                    f"the function of costs gives shape {costs.shape} for {len(table)} rows: it "
                    "must give (n, r, r)"
                )
        else:
            values = {name: _numbers(table, name, reasons) for name in self.columns}
            costs = np.empty((len(table), len(self.cells), len(self.cells)))
            for y, row in enumerate(self.cells):
                for k, cell in enumerate(row):
                    costs[:, y, k] = cell(values)
        check_row_costs(costs, reasons)
        if self.refer is not None:
            column = np.broadcast_to(
                self.refer[:, None], (len(costs), len(self.refer), 1)
            )
            costs = np.concatenate([costs, column], axis=2)
        return costs, reasons

    def check(self, n_classes: int, *, referral: bool) -> None:
        """Raise ValueError unless the expressions are of so many classes."""
        widths = [len(row) for row in self.cells] or [n_classes] * n_classes
        if widths != [n_classes] * n_classes or (self.refer is not None) != referral:
            raise ValueError(f"the costs of each row are not of {n_classes} classes")

    def __str__(self) -> str:
        texts = (cell.text for row in self.cells for cell in row if cell.columns)
        return ", ".join(dict.fromkeys(texts)) or "a function"

    def to_document(self) -> RowCostsDocument:
        """Serialise as plain values; ValueError for a function."""
        if callable(self.source):
            raise ValueError(
                "costs by a function cannot be written to a file: write them as expressions of "
                'columns, such as "0.3 * amount + 50"'
            )
        return RowCostsDocument(
            [[cell.text for cell in row] for row in self.cells],
            None if self.refer is None else self.refer.tolist(),
            np.broadcast_to(self.ratios, len(self.cells)).tolist(),
            np.atleast_2d(self.prices).tolist(),
        )


class RowCostsDocument(Struct, frozen=True, forbid_unknown_fields=True):
    """Costs of each row as plain values: expressions, costs of a referral, and weights.

    The costs of a row are the values of the expressions, and of a referral, times the
    ``ratios`` (r,) of the classes, plus the ``prices`` (r, a) of limits.
    """

    cost_matrix: list[list[str]]
    refer: list[float] | None
    ratios: list[float]
    prices: list[list[float]]

    def row_costs(self) -> RowCosts:
        """Return the costs."""
        refer = None if self.refer is None else np.array(self.refer)
        ratios, prices = np.array(self.ratios), np.array(self.prices)
        return RowCosts(self.cost_matrix, refer, ratios, prices)


def check_row_costs(costs: Floats, reasons: NDArray[Any]) -> None:
    """Fill the reasons (n,) of rows whose cost matrices (n, r, r) make no sense."""
    right = np.einsum("nkk->nk", costs)[:, :, None]
    wrong = {
        "a cost is missing or infinite": ~np.isfinite(costs),
        "a cost is negative": costs < 0.0,
        "being right costs more than a mistake": costs < right,
    }
    for reason, cells in wrong.items():
        rows = cells.any(axis=(1, 2)) & (reasons == "")
        reasons[rows] = reason


def _numbers(table: pd.DataFrame, name: str, reasons: NDArray[Any]) -> Floats:
    """Return the numbers (n,) of a column; fill the reasons of rows without any."""
    if name not in table:
        raise ValueError(
            f"the costs need the column {name!r}{suggestion(name, table.columns)}: the table has "
            f"{listing(table.columns, limit=20)}"
        )
    values, is_text = read_numbers(table[name])
    if is_text.all() and len(table):
        raise ValueError(
            f"the costs take the column {name!r}, which is text: they are made of numbers"
        )
    for row in np.flatnonzero(is_text & (reasons == "")):
        reasons[row] = f"{name!r} of its costs is {str(table[name].iloc[row])[:50]!r}"
    reasons[np.isnan(values) & (reasons == "")] = f"{name!r} of its costs is missing"
    return values


def mean_by_class(costs: Floats, codes: Integers, weights: Floats) -> Floats:
    """Compute the mean cost (r, m) of each decision for each true class, by (n, r, m)."""
    means = [
        np.average(costs[codes == k, k], axis=0, weights=weights[codes == k])
        for k in range(costs.shape[1])
    ]
    return np.array(means)


def resolve_costs(
    costs: Costs, samples: Samples, tables: Sequence[pd.DataFrame] = ()
) -> ResolvedCosts:
    """Resolve costs for training samples.

    Costs of each row are computed for the rows of the ``tables``, which are indexed by row
    of the user's table, as are samples. Their matrix is the mean given the true class: by
    this matrix decide models that do not know the costs of new rows.
    """
    if not costs.by_row:
        return costs.resolve(samples.classes, samples.class_weights)
    require_samples(samples.class_weights, samples.classes, "a rule for given costs")
    ordered = costs.in_order(samples.classes)
    r = samples.n_classes
    matrix: Any = ordered.cost_matrix
    row_costs = None
    if np.ndim(matrix) == 3:
        rows = np.asarray(matrix, dtype=np.float64)
    else:
        row_costs = RowCosts(matrix)
        row_costs.check(r, referral=False)
        rows = np.zeros((1 + max(table.index.max() for table in tables), r, r))
        for table in tables:
            rows[table.index] = row_costs(table)
    places = np.arange(len(samples)) if samples.rows is None else samples.rows
    if rows.shape[1:] != (r, r) or len(rows) <= places.max():
        raise ValueError(
            f"the costs of each row have shape {rows.shape}: {r} classes need (n, {r}, {r}), a "
            "matrix for each row of the table"
        )
    reasons = np.full(len(rows), "", dtype=object)
    check_row_costs(rows, reasons)
    for row in np.flatnonzero(reasons != "")[:1]:
        raise ValueError(f"row {row + 1} has no costs: {reasons[row]}")
    mean = mean_by_class(rows[places], samples.codes, samples.sample_weight_or_ones)
    resolved = replace(ordered, cost_matrix=mean).resolve(
        samples.classes, samples.class_weights
    )
    if resolved.referral is not None:
        refer = resolved.matrix[:, r]
        column = np.broadcast_to(refer[:, None], (len(rows), r, 1))
        rows = np.concatenate([rows, column], axis=2)
        row_costs = row_costs and replace(row_costs, refer=refer)
    row_costs = row_costs and replace(row_costs, ratios=resolved.ratios)
    return replace(
        resolved, rows=rows, row_costs=row_costs, decides_by_row=row_costs is not None
    )
