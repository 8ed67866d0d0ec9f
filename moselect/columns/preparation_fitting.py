"""What is done to the columns of a table, learnt together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import msgspec
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from moselect.columns.preparation_document import LeftOut
from moselect.columns.preparation_input import read_levels
from moselect.columns.preparation_learning import learn_column
from moselect.columns.prepared_columns import (
    DateColumns,
    LevelColumns,
    NumberColumn,
    PreparedColumn,
)
from moselect.datasets import listing


def learn_columns(
    frame: pd.DataFrame,
    codes: NDArray[np.int64] | None,
    *,
    drop: Collection[str],
    keep: Collection[str],
    categorical: Collection[str],
) -> tuple[tuple[PreparedColumn, ...], tuple[LeftOut, ...]]:
    """Learn how to prepare each column of a table, and which to leave out.

    Parameters
    ----------
    frame : DataFrame of shape (n, p)
        The table.
    codes : ndarray of shape (n,) or None
        Class codes from 0.
    drop, keep, categorical : collection of str
        Names, as in `Preparation`.

    Raises
    ------
    ValueError
        If no column is left, or one cannot be read.
    """
    columns: list[PreparedColumn] = []
    left_out: list[LeftOut] = []
    for name, column in frame.items():
        found: PreparedColumn | str = "dropped"
        if name not in drop:
            found = learn_column(column, codes, categorical=name in categorical, keep=name in keep)
        if isinstance(found, str):
            left_out.append(LeftOut(str(name), found))
        else:
            columns.append(found)
    if not columns:
        reasons = listing([f"{left.name} ({left.reason})" for left in left_out])
        raise ValueError(f"no column is left to learn from: {reasons}")
    return tuple(_marked_once(columns, frame)), tuple(left_out)


def _marked_once(
    columns: Sequence[PreparedColumn], frame: pd.DataFrame
) -> Iterator[PreparedColumn]:
    """Yield the columns, gaps marked only once where several columns have them in the same rows."""
    seen = {
        (read_levels(frame[column.name])[0] < 0).tobytes()
        for column in columns
        if isinstance(column, LevelColumns) and column.tells_missing_apart
    }
    for column in columns:
        if isinstance(column, NumberColumn | DateColumns) and column.indicator:
            gaps = column.read(frame[column.name])[0][:, -1].astype(bool).tobytes()
            if gaps in seen:
                column = msgspec.structs.replace(column, indicator=False)
            seen.add(gaps)
        yield column
