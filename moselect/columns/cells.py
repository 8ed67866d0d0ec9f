"""Tables of any kind as pandas ones, and their cells as numbers, dates and levels."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

import narwhals as nw
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from moselect._types import Booleans, Floats
from moselect._validation import check_unmasked
from moselect.columns.times import HOURS, MINUTES, seconds_of
from moselect.features import collected, column_places

BLANKS = " \t\N{NO-BREAK SPACE}"  # around a cell, which do not count
# Words that stand for a missing value in a column of something else.
GAPS = {"", "?", "-", "--", ".", "*", "na", "n/a", "n.a.", "nan", "none", "null", "nil"}
TRUTH = {"true": 1.0, "false": 0.0, "1": 1.0, "0": 0.0, "1.0": 1.0, "0.0": 0.0}
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
ISO, ISO_DATE = (
    "ISO8601",
    re.compile(
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
        r"([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?"
    ),
)
_DATES = """
%d.%m.%Y|%d.%m.%y|%m/%d/%Y|%d/%m/%Y|%m/%d/%y|%d/%m/%y|%Y/%m/%d|%d-%m-%Y
|%d %b %Y|%d %B %Y|%d-%b-%Y|%b %d, %Y|%B %d, %Y
""".replace("\n", "").split("|")
DATE_FORMATS = (ISO, *(day + time for time in ("", " %H:%M", " %H:%M:%S") for day in _DATES))
MOST_LEVELS = 15  # columns for a column of categories; with more levels it is encoded
TRIED_FIRST = 50  # cells by which most kinds of columns are ruled out


# How numbers are written; of times the first of two parts is hours, or minutes.
Written = Literal["number", "boolean", "hours", "minutes"]


class Content(NamedTuple):
    """What a column holds, the format of dates, words among numbers, which are gaps, and a unit."""

    kind: Written | Literal["date", "levels"]
    date_format: str = ""
    words: tuple[str, ...] = ()
    unit: str = ""


def as_frame(X: Any) -> pd.DataFrame:
    """Return a table of any library, or an array, as a pandas one whose names are text."""
    X = collected(X)
    if not hasattr(X, "columns"):
        from sklearn.utils import check_array  # slow to import, and tables do without

        check_unmasked("X", X)
        values = check_array(X, dtype=None, ensure_all_finite=False)
        X = pd.DataFrame(values).add_prefix("x").infer_objects()
    elif not isinstance(X, pd.DataFrame):
        X = nw.from_native(X, eager_only=True).to_pandas()
    return X.set_axis(list(column_places(X)), axis="columns")


def find_content(column: pd.Series) -> Content:
    """Return what a column holds; if it is no longer text, its type says so."""
    kind, types = column.dtype, pd.api.types
    unit = column.attrs.get("units", {}).get(column.name, "")
    if isinstance(kind, pd.CategoricalDtype):
        return Content("levels")
    if types.is_bool_dtype(kind):
        return Content("boolean")
    if types.is_numeric_dtype(kind):
        check_finite(str(column.name), read_numbers(column)[1])
        return Content("number", unit=unit)
    if types.is_datetime64_any_dtype(kind):
        return Content("date", ISO)
    if types.is_timedelta64_dtype(kind):
        return Content("hours")
    first = column.dropna().head(TRIED_FIRST)
    for name, read in READERS.items():
        if not read(first)[1].any():
            values, bad = read(column)
            if not bad.any() and not np.isnan(values).all():
                # Where a day's times have seconds, those of two parts are minutes and seconds.
                return Content("minutes" if name == "hours" and _has_seconds(column) else name)
    date_format = _find_date_format(column)
    if date_format is not None:
        return Content("date", date_format)
    values, bad = read_numbers(column)
    odd = column[bad].map(lambda cell: str(cell).strip(BLANKS).lower())
    words, numbers = tuple(odd.drop_duplicates()), np.unique(values[np.isfinite(values)])
    nearly_all = len(numbers) > max(MOST_LEVELS, 9 * len(words)) and bad.mean() < 0.5
    return Content("number", words=words, unit=unit) if nearly_all else Content("levels")


def check_finite(name: str, bad: Booleans) -> None:
    """Raise ValueError if numbers of a column cannot be read, since they are infinite."""
    if bad.any():
        raise ValueError(
            f"column {name!r} has {bad.sum()} infinite values: correct them, drop these rows, or "
            "drop the column"
        )


def _distinct_cells(column: pd.Series) -> tuple[NDArray[np.int64], list[Hashable]]:
    """Return for each cell the index of its value, -1 if it is missing, and the values.

    Booleans among other values count as text, since they equal the numbers 0 and 1.
    """
    if column.dtype == object:
        column = column.map(lambda cell: str(cell) if isinstance(cell, bool | np.bool_) else cell)
    try:
        codes, values = pd.factorize(column)
    except TypeError:
        raise ValueError(
            f"column {column.name!r} holds lists or other compound values: drop it"
        ) from None
    return codes.astype(np.int64), np.asarray(values, dtype=object).tolist()


def _read_cells(
    column: pd.Series, read: Callable[[str], float | None], words: Sequence[str]
) -> tuple[Floats, Booleans]:
    """Read the text of each cell as a number, and say which cannot be read: where ``read`` is None.

    Missing cells, and words that stand for a missing value, are NaN.
    """
    codes, values = _distinct_cells(column)
    texts, gaps = [str(value).strip(BLANKS).lower() for value in values], GAPS.union(words)
    numbers = [np.nan if text in gaps else read(text) for text in texts]
    bad = np.array([number is None for number in numbers] + [False])
    table = np.array([np.nan if number is None else number for number in numbers] + [np.nan])
    return table[codes], bad[codes]


def read_numbers(column: pd.Series, words: Sequence[str] = ()) -> tuple[Floats, Booleans]:
    """Read a column of numbers, where ``words`` are gaps, too; infinite ones cannot be read."""
    kind = column.dtype
    if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind):
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return values, np.isinf(values)
    return _read_cells(column, _number, words)


def read_truths(column: pd.Series, words: Sequence[str] = ()) -> tuple[Floats, Booleans]:
    """Read a column of booleans as 0 and 1, where ``words`` are gaps, too."""
    if pd.api.types.is_bool_dtype(column.dtype):
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return values, np.zeros(len(values), dtype=bool)
    return _read_cells(column, TRUTH.get, words)


def read_times(
    column: pd.Series, words: Sequence[str] = (), first_of_two: float = HOURS
) -> tuple[Floats, Booleans]:
    """Read a column of clock times or durations in seconds, where ``words`` are gaps, too."""
    if pd.api.types.is_timedelta64_dtype(column.dtype):
        values = column.dt.total_seconds().to_numpy(dtype=np.float64, na_value=np.nan)
        return values, np.zeros(len(values), dtype=bool)
    return _read_cells(column, partial(seconds_of, first_of_two=first_of_two), words)


def _has_seconds(column: pd.Series) -> bool:
    return bool(column.astype(str).str.count(":").eq(2).any())


def read_levels(column: pd.Series) -> tuple[NDArray[np.int64], list[str]]:
    """Return for each cell the index of its level, -1 if it is missing, and the levels as text.

    Whole numbers are the same level with and without a decimal point; blanks around do not count.
    """
    codes, values = _distinct_cells(column)
    levels: dict[str, int] = {}
    # One more, for the missing cells, which have index -1.
    at = [levels.setdefault(text, len(levels)) if (text := level_text(v)) else -1 for v in values]
    return np.array([*at, -1], dtype=np.int64)[codes], list(levels)


def read_dates(column: pd.Series, date_format: str) -> tuple[pd.Series, Booleans]:
    """Read a column of dates, ISO 8601 or by a format, as datetimes; those with a zone in UTC."""
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        dates = column.dt.tz_convert(None) if column.dt.tz is not None else column
        return dates.astype("datetime64[us]"), np.zeros(len(column), dtype=bool)
    codes, values = _distinct_cells(column)
    text = _date_texts(values)
    dates = _parse(text, ISO)
    if date_format != ISO:
        dates = dates.fillna(_parse(text, date_format))
    bad = np.append((dates.isna() & ~text.str.lower().isin(GAPS)).to_numpy(dtype=bool), False)
    table = np.append(dates.to_numpy(dtype="datetime64[us]"), np.datetime64("NaT", "us"))
    return pd.Series(table[codes], index=column.index), bad[codes]


def level_text(value: Any) -> str:
    """Return a level as text, whole numbers without a decimal point."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        value = int(value)
    return str(value).strip(BLANKS)


def _find_date_format(column: pd.Series) -> str | None:
    """Return the first format that all cells of text, dates or datetimes have; None if none is."""
    text = _date_texts(_distinct_cells(column)[1])
    text = text[~text.str.lower().isin(GAPS)]
    if text.empty:
        return None
    first = text[:TRIED_FIRST]
    fitting = (name for name in DATE_FORMATS if _parse(first, name).notna().all())
    return next((name for name in fitting if _parse(text, name).notna().all()), None)


def _date_texts(values: list[Hashable]) -> pd.Series:
    return pd.Series([str(value).strip(BLANKS) for value in values], dtype=object)


def _parse(text: pd.Series, date_format: str) -> pd.Series:
    # Words such as "today" are dates to pandas.
    text = text.where(text.str.fullmatch(ISO_DATE if date_format == ISO else ".*[0-9].*"))
    dates = pd.to_datetime(text, format=date_format, errors="coerce", utc=True)
    return dates.dt.tz_convert(None).astype("datetime64[us]")


def _number(text: str) -> float | None:
    return float(text) if NUMBER.fullmatch(text) and np.isfinite(float(text)) else None


READERS: dict[Written, Callable[..., tuple[Floats, Booleans]]] = {
    "number": read_numbers,
    "boolean": read_truths,
    "hours": read_times,
    "minutes": partial(read_times, first_of_two=MINUTES),
}
