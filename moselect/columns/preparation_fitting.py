"""What is done to the columns of a table, learnt together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect.columns.preparation_document import LeftOut
from moselect.columns.preparation_input import read_levels
from moselect.columns.preparation_learning import Content, find_content, learn_column
from moselect.columns.prepared_columns import (
    DateColumns,
    LevelColumns,
    NumberColumn,
    PreparedColumn,
)
from moselect.labels import class_labels, encode_labels
from moselect.listing import listing, suggestion


def learn_columns(
    frame: pd.DataFrame,
    codes: NDArray[np.int64] | None,
    *,
    drop: Sequence[str],
    keep: Sequence[str],
    categorical: Sequence[str],
    contents: Mapping[str, Content] | None = None,
) -> tuple[tuple[PreparedColumn, ...], tuple[LeftOut, ...]]:
    """Learn how to prepare each column of a table, and which to leave out.

    Parameters
    ----------
    frame : DataFrame of shape (n, p)
        The table.
    codes : ndarray of shape (n,) or None
        Class codes from 0.
    drop, keep, categorical : sequence of str
        Names, as in `Preparation`.
    contents : mapping, optional
        What columns hold, as `find_contents` says of a table of which this one is a part.

    Raises
    ------
    TypeError
        If ``drop``, ``keep`` or ``categorical`` is no list of names.
    ValueError
        If one of them names no column, no column is left, or one cannot be read.
    """
    for role, given in (("drop", drop), ("keep", keep), ("categorical", categorical)):
        _check_names(role, given, frame.columns.tolist())
    contradictory = [name for name in drop if name in keep or name in categorical]
    if contradictory:
        raise ValueError(f"column {contradictory[0]!r} is to be dropped and to be used: choose one")
    known = contents or {}
    unknown = frame[[name for name in frame if name not in known]]
    holds = {**known, **find_contents(unknown, drop=drop, categorical=categorical)}
    columns: list[PreparedColumn] = []
    left_out: list[LeftOut] = []
    for name, column in frame.items():
        found: PreparedColumn | str = "dropped"
        if name not in drop:
            found = learn_column(column, codes, holds[str(name)], keep=name in keep)
        if isinstance(found, str):
            left_out.append(LeftOut(str(name), found))
        else:
            columns.append(found)
    if not columns:
        reasons = listing([f"{left.name} ({left.reason})" for left in left_out])
        raise ValueError(f"no column is left to learn from: {reasons}")
    return tuple(_marked_once(columns, frame)), tuple(left_out)


def find_contents(
    frame: pd.DataFrame, *, drop: Sequence[str], categorical: Sequence[str]
) -> dict[str, Content]:
    """Return what each column holds that is not dropped, by its name; errors as `learn_columns`."""
    return {
        str(name): Content("levels") if name in categorical else find_content(column)
        for name, column in frame.items()
        if name not in drop
    }


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


def class_codes(y: ArrayLike | pd.Series, n_samples: int) -> NDArray[np.int64]:
    """Return class codes from 0, shape (n,).

    Raises
    ------
    ValueError
        If there are not ``n_samples`` labels, or they have no order.
    """
    shape = np.asarray(y).shape
    if shape != (n_samples,):
        raise ValueError(f"y has shape {shape}, but X has {n_samples} rows")
    return encode_labels(y, class_labels(y))


def _check_names(role: str, given: Sequence[str], columns: list[str]) -> None:
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise TypeError(f"{role} must be a list of names of columns, not {given!r}")
    for name in given:
        if name not in columns:
            raise ValueError(
                f"there is no column {name!r} ({role}){suggestion(str(name), columns)} "
                f"(columns: {listing(columns, limit=20)})"
            )
