"""Accumulated local effects: how what a model says changes along one column of a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.columns.cells import find_content, read_dates, read_numbers
from moselect.labels import level_text

N_STEPS = 20  # between cells of a column, at about equal shares of its rows
MOST_LEVELS = 20

Says = Callable[[pd.DataFrame], Floats]  # of rows (n, m) some figures (n, k)


class Grid(NamedTuple):
    """Cells of a column in their order, and between which of them each row lies.

    ``places`` (g,) are the cells as numbers, or their order if they are levels; ``lower``
    (n,) is the index of the cell below a row's own, -1 if it has none.
    """

    cells: list[Any]
    places: Floats
    labels: list[str] | None
    lower: Integers


def grid_of(column: pd.Series, ranks: Floats) -> Grid | None:
    """Return cells along a column; None if there is nothing to walk along: text, or one value.

    Levels are in the order of the mean rank (n,) of their rows.
    """
    content = find_content(column)
    if content.kind == "levels":
        texts = column.map(level_text, na_action="ignore")
        means = (
            pd.Series(ranks, column.index).groupby(texts.to_numpy()).mean().sort_values()
        )
        if not 2 <= len(means) <= MOST_LEVELS:
            return None
        first = column[~texts.duplicated()].set_axis(texts[~texts.duplicated()])
        at = means.index.get_indexer(pd.Index(texts))
        cells, names = [first[name] for name in means.index], list(map(str, means.index))
        return Grid(cells, np.arange(len(cells), dtype=np.float64), names, at)
    if content.kind == "date":
        dates = read_dates(column, content.date_format)[0]
        numbers = ((dates - pd.Timestamp(0)) / pd.Timedelta(days=1)).to_numpy(
            dtype=np.float64
        )
    else:
        numbers = read_numbers(column, content.words, content.kind)[0]
    known = np.flatnonzero(np.isfinite(numbers))
    order = known[np.argsort(numbers[known], kind="stable")]
    if not len(order):
        return None
    steps = order[
        np.unique(np.linspace(0, len(order) - 1, N_STEPS + 1).round().astype(int))
    ]
    places, first_of = np.unique(numbers[steps], return_index=True)
    if len(places) < 2:
        return None
    lower = np.searchsorted(places, numbers, side="left").clip(1, len(places) - 1) - 1
    lower[~np.isfinite(numbers)] = -1
    return Grid([column.iloc[row] for row in steps[first_of]], places, None, lower)


def accumulated_effects(
    says: Says, table: pd.DataFrame, name: str, grid: Grid, weights: Floats
) -> Floats:
    """Return what figures change along a column, (g, k), with mean 0 over the rows of the table.

    Between two neighbouring cells it is the mean change of the rows between them, if
    their cell is replaced by the one and by the other (Apley & Zhu 2020, Journal of the
    Royal Statistical Society B 82, 1059-1086, eq. 15 and 16); of levels, of the rows of
    both.
    """
    of_levels = grid.labels is not None
    n_steps = len(grid.cells) - 1
    rows, steps = [], []
    for k in range(n_steps):
        near = grid.lower == k
        if of_levels:
            near |= grid.lower == k + 1
        found = np.flatnonzero(near & (weights > 0.0))
        rows.append(found)
        steps.append(np.full(len(found), k))
    at, step = np.concatenate(rows), np.concatenate(steps)
    part = table.iloc[at]
    ends = as_in(table[name], [grid.cells[k] for k in np.concatenate([step, step + 1])])
    both = says(pd.concat([part, part], ignore_index=True).assign(**{name: ends}))
    low, high = np.split(both, 2)
    change, total = (
        (high - low) * weights[at][:, None],
        np.bincount(step, weights[at], n_steps),
    )
    sums = np.column_stack([np.bincount(step, column, n_steps) for column in change.T])
    means = np.divide(
        sums, total[:, None], out=np.zeros_like(sums), where=total[:, None] > 0.0
    )
    curve = np.vstack([np.zeros(sums.shape[1]), np.cumsum(means, axis=0)])
    known = grid.lower >= 0
    if of_levels:
        of_rows = curve[grid.lower[known]]
    else:
        of_rows = (curve[grid.lower[known]] + curve[grid.lower[known] + 1]) / 2.0
    return np.asarray(curve - np.average(of_rows, axis=0, weights=weights[known]))


def as_in(column: pd.Series, cells: Any) -> Any:
    """Return cells (n,) with the type that a column has."""
    return pd.Series(cells, dtype=column.dtype).array
