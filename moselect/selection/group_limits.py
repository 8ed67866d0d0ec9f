"""Limits that hold in each group of a column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Booleans, Floats
from moselect.selection.groups import group_labels, is_in_bands
from moselect.selection.limits import Limit, LimitReached, mistake_of, read_limits


def limits_in_groups(
    limits: Mapping[str, float] | None,
    classes: ArrayLike,
    ratios: Floats,
    table: pd.DataFrame,
) -> list[Limit]:
    """Parse limits; ``"severe<serious by sex"`` is to hold in each group of a column.

    Groups of fewer than 30 rows are merged, a single one with the next larger group: the
    standard error of a share in a few rows exceeds any limit.

    Parameters
    ----------
    limits, classes, ratios
        As in `read_limits`.
    table : DataFrame
        Columns of groups, indexed by row of the user's table.

    Raises
    ------
    ValueError
        If a limit is invalid, or its column is unknown or has numbers.
    """
    parsed = []
    for words, most in (limits or {}).items():
        mistake = mistake_of(words)
        column = words[len(mistake) + len(" by ") :]
        (limit,) = read_limits({mistake: most}, classes, ratios)
        if not column:
            parsed.append(limit)
            continue
        if column not in table:
            raise ValueError(f"the limit {words!r} needs column {column!r}: give by=")
        if is_in_bands(table[column]):
            raise ValueError(
                f"the limit {words!r}: cut the numbers of {column!r} into groups"
            )
        labels = group_labels(table[column], complete=True)
        for name in sorted(labels.unique()):
            members = np.zeros(table.index.max() + 1, dtype=np.bool_)
            members[table.index] = labels == name
            parsed.append(replace(limit, words=f"{words}: {name}", members=members))
    return parsed


def columns_of_groups(limits: Iterable[LimitReached]) -> list[str]:
    """List the columns in whose groups limits hold."""
    words = (limit.words for limit in limits if mistake_of(limit.words) != limit.words)
    return sorted({each.rpartition(" by ")[2].partition(": ")[0] for each in words})


def members_now(words: str, by: pd.DataFrame, known: Sequence[str]) -> Booleans:
    """Find the rows (n,) of the group of a limit; ``known`` are the words of all limits."""
    column, _, name = words[len(mistake_of(words)) + len(" by ") :].partition(": ")
    labels = group_labels(by[column], fewest=1)
    if name.startswith("others ("):
        return np.asarray(~labels.isin([other.rpartition(": ")[2] for other in known]))
    return np.asarray(labels == name)
