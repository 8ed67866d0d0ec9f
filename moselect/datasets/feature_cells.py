"""Features that are numbers in disguise: amounts, two numbers in a cell, and codes for gaps."""

import re
from collections.abc import Collection, Iterable

import numpy as np
import pandas as pd

from moselect._types import Floats
from moselect.datasets.amounts import FEWEST_NUMBERS, GAPS, NEARLY_ALL, read_amounts

# 9, 99, 999 and so on, with up to three codes more just below, and 8, 88, 888.
NINES = [float("9" * k) for k in range(1, 7)]
CODES = [*NINES, *(n - d for n in NINES[1:] for d in (1, 2, 3)), 8.0, 88.0, 888.0, 8888.0]
BELOW_ZERO = [*CODES, 1.0, 2.0, 7.0, 77.0]  # -1 and so on, where nothing else is negative


def gap_codes(values: Floats) -> list[float]:
    """Find values that are usual codes for a gap and lie far outside all others.

    Beyond a scale of few values a code may be nearer, if it skips a step and is more common
    than the end of the scale; below quantities that are never negative, any code is far.

    Examples
    --------
    >>> gap_codes(np.array([0.0, 2.0, 250.0, 999.0])), gap_codes(np.arange(10.0))
    ([999.0], [])
    >>> gap_codes(np.array([1.0, 2.0, 3.0, 4.0, 8.0, 9.0, -9.0]))
    [-9.0, 8.0, 9.0]
    """
    low: list[float] = []
    high: list[float] = []
    for _ in range(2):  # codes at one end hide those at the other, if they are farther
        high = _beyond(values[~np.isin(values, low)], CODES)
        low = [-code for code in _beyond(-values[~np.isin(values, high)], BELOW_ZERO)]
    return low[::-1] + high


def _beyond(values: Floats, codes: list[float]) -> list[float]:
    """Return the codes at the upper end of the values that lie far from all below."""
    distinct, counts = np.unique(values[np.isfinite(values)], return_counts=True)
    is_code = np.isin(distinct, codes)
    first = len(distinct) - int(np.argmin(np.append(is_code[::-1], False)))
    # distance from all other values, relative to their range
    far = 0.5
    # values of a scale; more are a quantity
    few_levels = 15
    for k in range(max(first, 2), len(distinct)):
        rest = distinct[:k]
        hole = distinct[k] - distinct[k - 1]
        widest = np.diff(rest).max()
        skips = hole >= 2.0 * widest and counts[k:].sum() > counts[k - 1]
        # Of codes below zero the signs are changed.
        is_unsigned = codes is BELOW_ZERO and rest[-1] <= 0.0
        if (
            hole > max(widest, far * np.ptp(rest))
            or (len(rest) <= few_levels and skips)
            or (len(rest) > few_levels and is_unsigned)
        ):
            return distinct[k:].tolist()
    return []


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
