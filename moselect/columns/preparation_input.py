"""Tables of any kind as pandas ones, and their cells as numbers, dates and levels."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import issparse

from moselect._types import Floats
from moselect._validation import check_unmasked

Mask = NDArray[np.bool_]

# Words that stand for a missing value in a column of something else.
GAPS = {"", "?", "-", "--", ".", "*", "na", "n/a", "n.a.", "nan", "none", "null", "nil"}
TRUTH = {"true": 1.0, "false": 0.0, "1": 1.0, "0": 0.0, "1.0": 1.0, "0.0": 0.0}
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
DURATION = re.compile(r"(?:(\d+):)?(\d+):([0-5]\d(?:\.\d+)?)")  # 3:25:59 or 25:59
ISO = "ISO8601"
_DATES = """
%d.%m.%Y|%d.%m.%y|%m/%d/%Y|%d/%m/%Y|%m/%d/%y|%d/%m/%y|%Y/%m/%d|%d-%m-%Y
|%d %b %Y|%d %B %Y|%d-%b-%Y|%b %d, %Y|%B %d, %Y
""".replace("\n", "").split("|")
DATE_FORMATS = (ISO, *(day + time for time in ("", " %H:%M", " %H:%M:%S") for day in _DATES))
TRIED_FIRST = 50  # cells by which most kinds of columns are ruled out


def as_frame(X: Any) -> pd.DataFrame:
    """Return a table as a pandas one whose columns have different names of text.

    Parameters
    ----------
    X : DataFrame of pandas, polars or another library that narwhals knows, or array (n, p)
        The columns of an array are called ``x0``, ``x1``, ...

    Raises
    ------
    ValueError
        If two columns have the same name, or an array is not two-dimensional or complex.
    TypeError
        If an array is sparse.
    """
    if not isinstance(X, pd.DataFrame):
        found = nw.from_native(X, eager_only=True, pass_through=True)
        if isinstance(found, nw.DataFrame):
            try:
                X = found.to_pandas()
            except ImportError:
                raise ValueError(
                    "tables other than those of pandas need pyarrow: pip install "
                    "'moselect[parquet]'"
                ) from None
        else:
            if issparse(X):
                raise TypeError("sparse input is not supported: use X.toarray()")
            check_unmasked("X", X)
            values = np.asarray(X)
            if np.iscomplexobj(values):
                raise ValueError("Complex data not supported: give real and imaginary parts")
            if values.ndim != 2:
                raise ValueError(
                    f"X has shape {values.shape}: one row a sample is expected (n, p). Reshape "
                    "your data"
                )
            X = pd.DataFrame(values).add_prefix("x").infer_objects()
    names = [str(name) for name in X.columns]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise ValueError(f"two columns are called {repeated!r}: rename or drop one")
    return X.set_axis(names, axis="columns")


def distinct_cells(column: pd.Series) -> tuple[NDArray[np.int64], list[Hashable]]:
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


def read_cells(column: pd.Series, read: Callable[[Any], float | None]) -> tuple[Floats, Mask]:
    """Read each cell as a number.

    Parameters
    ----------
    column : Series of shape (n,)
        Cells of any type.
    read : callable
        Returns the number that a value stands for, NaN for a gap, None if it stands for neither.

    Returns
    -------
    numbers : ndarray of shape (n,)
        NaN where a cell is missing or cannot be read.
    bad : ndarray of shape (n,)
        Which cells cannot be read.
    """
    codes, values = distinct_cells(column)
    numbers = [read(value) for value in values]
    bad = np.array([number is None for number in numbers] + [False])
    table = np.array([np.nan if number is None else number for number in numbers] + [np.nan])
    return table[codes], bad[codes]


def read_numbers(column: pd.Series) -> tuple[Floats, Mask]:
    """Read a column of numbers; infinite ones cannot be read."""
    kind = column.dtype
    if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind):
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return values, np.isinf(values)
    return read_cells(column, _number)


def read_truths(column: pd.Series) -> tuple[Floats, Mask]:
    """Read a column of booleans as 0 and 1."""
    if pd.api.types.is_bool_dtype(column.dtype):
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return values, np.zeros(len(values), dtype=bool)
    return read_cells(column, _truth)


def read_durations(column: pd.Series) -> tuple[Floats, Mask]:
    """Read a column of durations, such as 3:25:59, in seconds."""
    if pd.api.types.is_timedelta64_dtype(column.dtype):
        seconds = column.dt.total_seconds().to_numpy(dtype=np.float64, na_value=np.nan)
        return seconds, np.zeros(len(seconds), dtype=bool)
    return read_cells(column, _duration)


def read_levels(column: pd.Series) -> tuple[NDArray[np.int64], list[str]]:
    """Return for each cell the index of its level, -1 if it is missing, and the levels as text.

    Whole numbers are the same level with and without a decimal point; blanks around do not count.
    """
    codes, values = distinct_cells(column)
    levels: dict[str, int] = {}
    # One more, for the missing cells, which have index -1.
    at = [levels.setdefault(text, len(levels)) if (text := level_text(v)) else -1 for v in values]
    return np.array([*at, -1], dtype=np.int64)[codes], list(levels)


def read_dates(column: pd.Series, date_format: str) -> tuple[pd.Series, Mask]:
    """Read a column of dates as datetimes without a zone; those of other zones in UTC."""
    if isinstance(column.dtype, pd.PeriodDtype):
        column = column.dt.to_timestamp()
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        dates = column.dt.tz_convert(None) if column.dt.tz is not None else column
        try:
            dates = dates.astype("datetime64[us]")
        except pd.errors.OutOfBoundsDatetime as error:
            raise ValueError(
                f"column {column.name!r} has dates that are too far off ({error}): correct them or "
                "drop the column"
            ) from None
        return dates, np.zeros(len(column), dtype=bool)
    codes, values = distinct_cells(column)
    text = pd.Series([str(value).strip() for value in values], dtype=object)
    found = _parse(text, date_format)
    gaps = text.str.lower().isin(GAPS).to_numpy(dtype=bool)
    bad = np.append(found.isna().to_numpy() & ~gaps, False)
    table = np.append(found.to_numpy(dtype="datetime64[us]"), np.datetime64("NaT", "us"))
    return pd.Series(table[codes], index=column.index), bad[codes]


def find_date_format(column: pd.Series) -> str | None:
    """Return the first format that all cells of text, dates or datetimes have; None if none is."""
    values = distinct_cells(column)[1]
    first = _date_texts(values[:TRIED_FIRST])
    fitting = [name for name in DATE_FORMATS if _parse(first, name).notna().all()]
    if not fitting:
        return None
    text = _date_texts(values)
    if text.empty:
        return None
    return next((name for name in fitting if _parse(text, name).notna().all()), None)


def _date_texts(values: list[Hashable]) -> pd.Series:
    """Return what may be dates as text, without gaps."""
    text = pd.Series([str(value).strip() for value in values], dtype=object)
    return text[~text.str.lower().isin(GAPS)]


def _parse(text: pd.Series, date_format: str) -> pd.Series:
    if date_format == ISO:
        text = text.where(text.str.match(r"\d{4}-\d{2}-\d{2}"))
    dates = pd.to_datetime(text, format=date_format, errors="coerce", utc=True)
    return dates.dt.tz_convert(None).astype("datetime64[us]")


def _number(value: Any) -> float | None:
    text = str(value).strip()
    if text.lower() in GAPS:
        return np.nan
    return float(text) if NUMBER.fullmatch(text) and np.isfinite(float(text)) else None


def _truth(value: Any) -> float | None:
    text = str(value).strip().lower()
    return np.nan if text in GAPS else TRUTH.get(text)


def _duration(value: Any) -> float | None:
    text = str(value).strip()
    if text.lower() in GAPS:
        return np.nan
    parts = DURATION.fullmatch(text)
    if parts is None:
        return None
    hours, minutes, seconds = parts.groups()
    return 3600.0 * float(hours or 0) + 60.0 * float(minutes) + float(seconds)


def level_text(value: Any) -> str:
    """Return a level as text, whole numbers without a decimal point."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        value = int(value)
    return str(value).strip()
