"""Copies in a table: equal rows that coincidence does not explain."""

from typing import Any

import numpy as np
import pandas as pd

from moselect._types import Booleans, Floats, Integers, Table
from moselect.samples.features import holds_numbers

MIN_DISTINCT = 1.0 / 3.0  # distinct rows among all, where every column has few values
# Repeats of independent rows are multiples of 2 by chance with probability 1/2 each.
MIN_REPEATED = 20


def equal_rows(X: Any) -> Integers:
    """Rank of each row (n,) of a table among its distinct rows.

    Examples
    --------
    >>> equal_rows(pd.DataFrame({"vehicle": ["van", "car", "van"], "age": [1.0, 2.0, 1.0]}))
    array([0, 1, 0])
    """
    if X.shape[1] == 0:
        return np.zeros(len(X), dtype=np.int64)
    return np.unique(_numeric_cells(X)[0], axis=0, return_inverse=True)[1].ravel()


def duplicate_groups(X: Table, codes: Integers) -> Integers:
    """Group (n,) of each row: equal rows share one if they are copies.

    A fold must not divide copies: a model would be judged on its own training rows.
    In a table of few levels, equal rows are independent samples instead, and holding all
    of them out would hide a level from the model. Equal rows are copies if

    1. their classes agree nearly always, beyond what chance explains (Cohen's kappa), and
    2. most have no neighbour, a row that differs in one column only. Where values are so
       few that independent rows coincide, they also nearly coincide. In a column of many
       numbers a neighbour is at most one step of its rounding away.

    A table that was joined with copies of itself is recognised by the repeats of its rows,
    which have a common divisor g: g equal rows of one class share a group.

    Parameters
    ----------
    X : ndarray or DataFrame of shape (n, p)
        Features, of any type.
    codes : ndarray of int, shape (n,)
        Class codes.

    Examples
    --------
    >>> measured = np.random.default_rng(0).normal(size=(20, 2))
    >>> twice = duplicate_groups(np.tile(measured, (2, 1)), np.tile(np.arange(20) % 3, 2))
    >>> len(np.unique(twice))
    20
    >>> answers = np.repeat([[1.0], [2.0]], 20, axis=0)
    >>> len(np.unique(duplicate_groups(answers, np.arange(40) // 20)))
    40
    """
    ranks = equal_rows(X)
    if ranks.max() + 1 == len(codes) or _are_duplicates(X, codes, ranks):
        return ranks
    # Not duplicates: each sample becomes a group of its own, numbered by row and class, so
    # that the order of the samples does not matter; of a joined table each g samples.
    repeats = np.unique([ranks, codes], axis=1, return_counts=True)[1]
    n_tables = np.gcd.reduce(repeats) if len(repeats) >= MIN_REPEATED else 1
    groups = np.empty_like(ranks)
    groups[np.lexsort((codes, ranks))] = np.arange(len(codes)) // n_tables
    return groups


def _are_duplicates(X: Table, codes: Integers, ranks: Integers) -> bool:
    n = len(codes)
    sizes = np.bincount(ranks)
    by_class = np.bincount(ranks * (codes.max() + 1) + codes)
    # Share of pairs of equal rows that agree in class, and the share by chance.
    agreement = (by_class * (by_class - 1)).sum() / (sizes * (sizes - 1)).sum()
    chance = ((np.bincount(codes) / n) ** 2).sum()
    # Cohen's kappa of the classes of equal rows
    min_agreement = 0.8
    if agreement - chance <= min_agreement * (1.0 - chance):
        return False
    cells, are_numbers = _merge_indicators(*_numeric_cells(X))
    # One row stands for all that equal it.
    distinct = cells[np.unique(ranks, return_index=True)[1]].T
    # Ranks of values within a column, for hashes of rows.
    places = np.array([np.unique(column, return_inverse=True)[1] for column in distinct])
    # A column of numbers with fewer than sqrt(n) values has levels: independent rows
    # coincide in it often.
    are_levels = ~are_numbers | (places.max(axis=1) < np.sqrt(n))
    # A table of levels only, with few distinct rows, is a cross-tabulation: its equal
    # rows are independent samples.
    if are_levels.all() and len(sizes) < MIN_DISTINCT * n:
        return False
    # A linear hash of each row: one subtraction takes a column out of it.
    hashes = places * np.random.default_rng(0).integers(2**62, size=(len(places), 1))
    explained = np.zeros(len(sizes), dtype=np.bool_)
    # fewer rows are too few to estimate the effect of a level
    min_rows_of_level = 5
    for values, place, rest, is_level in zip(
        distinct, places, hashes.sum(axis=0) - hashes, are_levels, strict=True
    ):
        step = np.inf if is_level else 1.5 * np.diff(np.unique(values)).min()
        # Rows that agree in all other columns have equal hashes and stand next to each
        # other, in the order of this column.
        order = np.lexsort((values, rest))
        is_neighbour = (np.diff(rest[order]) == 0) & (np.diff(values[order]) <= step)
        # Either of two neighbours explains the other.
        explained[order[1:][is_neighbour]] = True
        explained[order[:-1][is_neighbour]] = True
        if is_level:  # of one distinct row only: training would lack it
            single = np.bincount(place, sizes) >= min_rows_of_level
            explained |= (single & (np.bincount(place) == 1))[place]
    # Duplicates are found only if most of the repeated rows have no neighbour.
    repeated = sizes * (sizes > 1)
    return bool(repeated @ explained < repeated.sum() / 2)


def _merge_indicators(cells: Floats, are_numbers: Booleans) -> tuple[Floats, Booleans]:
    """Merge adjacent columns of 0 and 1, at most one of them 1 in a row, into one of levels.

    A category in one-hot coding differs in two columns from each other one, so that rows
    would have no neighbours.
    """
    # A column with gaps holds ranks as well: NaN would equal nothing, not even itself.
    levels: list[Floats] = []
    firsts: list[int] = []  # the first of the columns that each one merges
    n_merged = 0  # indicators in the last one
    for j, column in enumerate(cells.T):
        is_indicator = bool(np.isin(column, (0.0, 1.0)).all())
        if is_indicator and n_merged and not (levels[-1] * column).any():
            n_merged += 1
            levels[-1] = levels[-1] + n_merged * column
        else:
            n_merged = int(is_indicator)
            levels.append(column)
            firsts.append(j)
    return np.column_stack(levels), are_numbers[firsts]


def _numeric_cells(X: Any) -> tuple[Floats, Booleans]:
    """Cells (n, p), ranks of first appearance in columns that are not of numbers."""
    if isinstance(X, np.ndarray) and X.dtype.kind in "fiub":
        return X.astype(np.float64, copy=False), np.full(X.shape[1], True)
    frame = pd.DataFrame(X)
    are_numbers = np.array([holds_numbers(dtype) for dtype in frame.dtypes])
    are_numbers &= frame.notna().all().to_numpy()
    cells = [
        column.to_numpy(np.float64) if is_number else pd.factorize(column)[0]
        for (_, column), is_number in zip(frame.items(), are_numbers, strict=True)
    ]
    return np.column_stack(cells), are_numbers
