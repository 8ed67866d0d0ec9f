"""Columns with two numbers in a cell, such as a blood pressure of 120/80, as two columns."""

import re
from collections.abc import Collection, Iterable

import pandas as pd

from moselect.tables.amounts import FEWEST_NUMBERS, GAPS, NEARLY_ALL
from moselect.tables.features import with_values

# 120/80, 3 x 4 and 117/79 mmHg, in small letters
TWO_NUMBERS = re.compile(
    r"(\d+(?:\.\d+)?)\s*[/x\N{MULTIPLICATION SIGN}]\s*(\d+(?:\.\d+)?)(?:\s?[^\W\d_]\D{0,9})?"
)
MONTH = re.compile(r"(?:0?[1-9]|1[0-2])/[12]\d{3}")  # 08/2021 is none
PART = re.compile(r"(.+) \([12] of 2\)")  # name of the first or second number of a column


def split_pairs(X: pd.DataFrame, as_written: Collection[str]) -> pd.DataFrame:
    """Replace a column ``bp`` of two numbers by ``bp (1 of 2)`` and ``bp (2 of 2)``.

    Other cells, such as "refused", stay in both; columns ``as_written`` stay as they are.
    """
    columns = dict[str, pd.Series]()
    for name, column in X.items():
        parts = {str(name): column}
        if name not in as_written and holds_two_numbers(column):
            split = split_numbers(column)
            if not {*split} & {*X}:  # a table may have columns of these names already
                parts = split
        columns |= parts
    if list(columns) == list(X):
        return X
    read = pd.DataFrame(columns, index=X.index)
    read.attrs |= X.attrs
    return read


def holds_two_numbers(column: pd.Series) -> bool:
    """Return whether all cells of text, or nearly all of many, are two numbers.

    Examples
    --------
    >>> holds_two_numbers(pd.Series(["120/80", "3 x 4", "n/a"]))
    True
    >>> holds_two_numbers(pd.Series(["1/2", "3/4", "half"]))
    False
    """
    if pd.api.types.infer_dtype(column) != "string":
        return False
    cells = column.dropna().str.strip().str.lower().drop_duplicates()
    cells = cells[~cells.isin(GAPS)]
    if cells.str.fullmatch(MONTH).all():
        return False
    n_split = int(cells.str.fullmatch(TWO_NUMBERS).sum())
    nearly = n_split > max(FEWEST_NUMBERS, NEARLY_ALL * len(cells))
    return n_split == len(cells) > 1 or nearly


def split_numbers(column: pd.Series) -> dict[str, pd.Series]:
    """Split two numbers in a cell into two columns; other cells stay, in both."""
    texts = column.astype(str).str.strip().str.lower()
    numbers = texts.str.extract(f"^(?:{TWO_NUMBERS.pattern})$").astype(float)
    parts = {}
    for place in (1, 2):
        found = numbers[place - 1]
        name = f"{column.name} ({place} of 2)"
        part = found.astype(object).where(found.notna(), column)
        parts[name] = part.infer_objects().rename(name)
    return parts


def column_of_part(name: str) -> str:
    """Return the column that holds a number, bp of bp (2 of 2); others are their own."""
    part = PART.fullmatch(name)
    return part[1] if part else name


def with_parts(frame: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """Add the named numbers of columns that a table has as two numbers in a cell."""
    for name in names:
        if name in frame.columns:
            continue
        column = column_of_part(name)
        if column in frame.columns:
            frame = with_values(frame, {name: split_numbers(frame[column])[name]})
    return frame
