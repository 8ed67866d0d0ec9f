"""Names of columns: checked to be complete and all different."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd


def working_names(header: Sequence[str]) -> list[str]:
    """Return the header with a name of our own, which no file has, for each column without one.

    Raises
    ------
    ValueError
        If two columns have the same name, or one holds a character that ends text in files.
    """
    seen: set[str] = set()
    for name in header:
        if name and name in seen:
            raise ValueError(f"two columns are called '{name}': rename or drop one")
        if "\0" in name:
            raise ValueError(f"the name of the column {name!r} holds a zero character: rename it")
        seen.add(name)
    return [name or f"\0{position}" for position, name in enumerate(header, start=1)]


def without_unnamed(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Leave out columns without a name if they are empty or a saved row index.

    Returns
    -------
    table : DataFrame
        The table without them.
    notes : list of str
        What was left out, where it was not empty.

    Raises
    ------
    ValueError
        If another column has no name.
    """
    notes = []
    unnamed = [name for name in table.columns.astype(str) if name.startswith("\0")]
    for column in unnamed:
        position = int(column[1:])
        values = table[column]
        if values.isna().all():
            continue
        if position > 1 or values.duplicated().any():
            raise ValueError(f"column {position} has no name: name it, or leave it out")
        notes.append("the first column has no name and a value of its own in each row: left out")
    return (table.drop(columns=unnamed) if unnamed else table), notes
