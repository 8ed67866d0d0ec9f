"""Remarks on the cells of each row that a preparation reads."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from moselect._types import Array, Booleans
from moselect.listing import listing
from moselect.preprocessing.level_columns import CategoricalColumn
from moselect.preprocessing.number_columns import Column
from moselect.preprocessing.terms import TableTerms


class Gaps(NamedTuple):
    """Cells of a column without a value, and without the format of the column."""

    column: Column
    missing: Booleans
    unreadable: Booleans


def describe_unreadable(table: TableTerms, gaps: Sequence[Gaps]) -> Array:
    """Name the first cell of each row that has not the format of its column."""
    texts = np.full(len(table.frame), "", object)
    for column, _, bad in reversed(gaps):  # the first one stays
        cells = table.frame[column.name][bad].tolist()
        shown = [repr(cell) if isinstance(cell, str) else str(cell) for cell in cells]
        texts[bad] = [
            f"column {column.name!r} holds {cell[:50]}, not {column.expected_format}"
            for cell in shown
        ]
    return texts


def describe_estimated(gaps: Sequence[Gaps]) -> Array:
    """Name the columns of each row that are missing, but were complete in training."""
    missing = np.column_stack([each.missing for each in gaps])
    was_complete = np.array([each.column.n_missing == 0 for each in gaps])
    names = np.array([each.column.name for each in gaps], object)
    texts = np.full(len(missing), "", object)
    rows = np.flatnonzero((missing & was_complete).any(axis=1) | missing.all(axis=1))
    # Few sets of columns are missing, in many rows.
    sets, places = np.unique(missing[rows], axis=0, return_inverse=True)
    of_sets = [
        "estimated without any value"
        if columns.all()
        else f"estimated without {listing(map(repr, names[columns & was_complete]))}"
        for columns in sets
    ]
    texts[rows] = np.array(of_sets, object)[places.ravel()]
    return texts


def describe_unseen(table: TableTerms, columns: Sequence[Column]) -> Array:
    """Name the levels of each row that no training row had."""
    texts = np.full(len(table.frame), "", object)
    for column in columns:
        if not isinstance(column, CategoricalColumn) or column.scarce:
            continue  # names of people are all new
        known = column.known
        codes, levels = table.levels(column.name)
        found = [
            "" if level in known else f"{column.name!r} is '{level}', a new level"
            for level in levels
        ]
        new = np.array([*found, ""], object)[codes]
        rows = np.flatnonzero(new != "")
        texts[rows] += np.where(texts[rows] == "", "", "; ") + new[rows]
    return texts
