"""Features that are numbers in disguise: amounts of few values, and two numbers in a cell."""

import re
from collections.abc import Collection, Iterable

import pandas as pd

from moselect.datasets.amounts import FEWEST_NUMBERS, GAPS, NEARLY_ALL, read_amounts

# 120/80, 3 x 4 and 117/79 mmHg, in small letters
TWO_NUMBERS = re.compile(
    r"(\d+(?:\.\d+)?)\s*[/x\N{MULTIPLICATION SIGN}]\s*(\d+(?:\.\d+)?)(?:\s?[^\W\d_]\D{0,9})?"
)
PART = re.compile(r"(.+) \([12] of 2\)")  # name of the first or second number of a column


def read_feature_cells(X: pd.DataFrame, categorical: Collection[str]) -> pd.DataFrame:
    """Parse amounts of few values, such as 95%, and split two numbers in a cell.

    The numbers of a column ``bp`` of cells such as 120/80 become the columns ``bp (1 of 2)`` and
    ``bp (2 of 2)``, with other cells, such as "refused", in both. ``categorical`` columns stay
    as they are.
    """
    units = dict(X.attrs.get("units", {}))
    columns = dict[str, pd.Series]()
    for name, column in X.items():
        columns[str(name)] = column
        if name in categorical or pd.api.types.infer_dtype(column) != "string":
            continue
        amounts = read_amounts(column, few=True)
        if amounts is not None:
            columns[str(name)], _, units[str(name)] = amounts
        elif holds_two_numbers(column) and not {
            f"{name} (1 of 2)",
            f"{name} (2 of 2)",
        } & set(X):
            del columns[str(name)]
            parts = split_numbers(column)
            columns |= parts
            units |= dict.fromkeys(parts, "")
    if list(columns) == list(X) and units == X.attrs.get("units", {}):
        return X
    read = pd.DataFrame(columns, index=X.index)
    read.attrs |= X.attrs | {"units": units}
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
    cells = column.dropna().str.strip().str.lower().drop_duplicates()
    cells = cells[~cells.isin(GAPS)]
    n_split = int(cells.str.fullmatch(TWO_NUMBERS).sum())
    nearly = n_split > max(FEWEST_NUMBERS, NEARLY_ALL * len(cells))
    return n_split == len(cells) > 1 or nearly


def split_numbers(column: pd.Series) -> dict[str, pd.Series]:
    """Split two numbers in a cell into two columns; other cells stay, in both."""

    def part_of(cell: object, place: int) -> object:
        found = TWO_NUMBERS.fullmatch(str(cell).strip().lower())
        return float(found[place]) if found else cell

    parts = {}
    for place in (1, 2):
        part = column.map(lambda cell, place=place: part_of(cell, place), "ignore")
        name = f"{column.name} ({place} of 2)"
        parts[name] = part.astype(object).infer_objects().rename(name)
    return parts


def column_of_part(name: str) -> str:
    """Return the column that holds a number; others are their own.

    Examples
    --------
    >>> column_of_part("bp (2 of 2)"), column_of_part("age (2)")
    ('bp', 'age (2)')
    """
    part = PART.fullmatch(name)
    return part[1] if part else name


def with_parts(frame: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """Add the named numbers of columns that a table has as two numbers in a cell."""
    for name in names:
        column = column_of_part(name)
        if name not in frame.columns and column in frame.columns:
            frame = frame.assign(**{name: split_numbers(frame[column])[name]})
    return frame
