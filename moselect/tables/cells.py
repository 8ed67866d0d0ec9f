"""Cells of a table as people write them, read as numbers, times, dates and levels."""

import re
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, Literal

import numpy as np
import pandas as pd
from pandas.api.types import (
    is_bool_dtype,
    is_datetime64_any_dtype,
    is_numeric_dtype,
    is_timedelta64_dtype,
)

from moselect._types import Booleans, Floats, Integers
from moselect.labels.labels import BLANKS
from moselect.tables.amounts import GAPS, with_leading_sign
from moselect.tables.features import (
    ColumnContent,
    Written,
    as_pandas,
    column_places,
)

TRUTH = {"true": 1.0, "false": 0.0, "1": 1.0, "0": 0.0, "1.0": 1.0, "0.0": 0.0}
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
ISO = "ISO8601"
ISO_DATE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?"
)
# Clock times in small letters: 2:30 pm, 1 day, 3:20:00. Of two parts the first is hours, or
# minutes where others have three.
CLOCK = re.compile(
    r"(?:([0-9]{1,5}) days?,? )?([0-9]{1,3}):([0-5][0-9])"
    r"(?::([0-5][0-9](?:\.[0-9]{1,9})?))?(?: ?([ap])\.?m\.?)?"
)
# Durations that pandas reads, with a unit behind each number: pt1h20m, 1 h 20 min.
DURATION = re.compile(r"p[0-9d]*t(?:[0-9.]+[hms])+|(?:[0-9.]+ ?(?:day|[hms])[a-z]*,? ?)+")
# Seconds of the first of two parts of a time, such as 2:30.
SECONDS_OF = {"hours": 3600.0, "minutes": 60.0}
MOST_LEVELS = 15  # columns for a column of categories; with more levels it is encoded


# Types that need no reading; booleans count as numbers, and come first.
TYPES: dict[Written, Callable[[Any], bool]] = {
    "boolean": is_bool_dtype,
    "number": is_numeric_dtype,
    "hours": is_timedelta64_dtype,
    "minutes": is_timedelta64_dtype,
}


def as_frame(X: object) -> pd.DataFrame:
    """Convert a table of any library, or an array, to a DataFrame with text names."""
    X = as_pandas(X)
    if not isinstance(X, pd.DataFrame):
        from sklearn.utils import check_array  # slow to import, and tables do without

        values = check_array(X, dtype=None, ensure_all_finite=False)
        X = pd.DataFrame(values).add_prefix("x").infer_objects()
    return X.set_axis(list(column_places(X)), axis="columns")


def distinct_cells(column: pd.Series) -> tuple[Integers, list[Hashable]]:
    """Factorise a column: the index of each cell's value, -1 if missing, and the values.

    Booleans among other values count as text, since they equal the numbers 0 and 1.
    """
    if column.dtype == object:
        column = column.map(
            lambda cell: str(cell) if isinstance(cell, bool | np.bool_) else cell
        )
    try:
        codes, values = pd.factorize(column)
    except TypeError:
        raise ValueError(
            f"column {column.name!r} holds lists or other compound values: drop it"
        ) from None
    return codes, np.asarray(values, object).tolist()


def codes_among(words: Sequence[str]) -> list[float]:
    """Return the numbers among the words for a missing value, such as 999."""
    return [float(word) for word in words if NUMBER.fullmatch(word)]


def read_numbers(
    column: pd.Series, words: Sequence[str] = (), written: Written = "number"
) -> tuple[Floats, Booleans]:
    """Read numbers, booleans as 0 and 1, or times in seconds; mask unreadable cells.

    Missing cells, and ``words`` or codes that stand for a missing value, are NaN; infinite
    numbers cannot be read.
    """
    coded = codes_among(words)
    if TYPES[written](column.dtype):
        if is_timedelta64_dtype(column.dtype):
            column = column.dt.total_seconds()
        numbers = column.to_numpy(float, na_value=np.nan)
        if coded:
            numbers = np.where(np.isin(numbers, coded), np.nan, numbers)
        return numbers, np.isinf(numbers)
    codes, values = distinct_cells(column)
    texts = [str(value).strip(BLANKS).lower() for value in values]
    gaps = GAPS.union(words)
    read = [np.nan if text in gaps else READ[written](text) for text in texts]
    read.append(np.nan)  # for the missing cells, which have index -1
    bad = np.array([number is None for number in read])
    numbers = np.array(read, float)  # None becomes NaN
    numbers[np.isin(numbers, coded)] = np.nan
    return numbers[codes], bad[codes]


def read_dates(column: pd.Series, date_format: str) -> tuple[pd.Series, Booleans]:
    """Parse dates, ISO 8601 or in a format, as datetimes, with time zones converted to UTC."""
    if is_datetime64_any_dtype(column.dtype):
        if column.dt.tz is not None:
            column = column.dt.tz_convert(None)
        return column.astype("datetime64[us]"), np.zeros(len(column), bool)
    codes, values = distinct_cells(column)
    text = date_texts(values)
    dates = parse_dates(text, ISO)
    if date_format != ISO:
        dates = dates.fillna(parse_dates(text, date_format))
    bad = dates.isna() & ~text.str.lower().isin(GAPS)
    table = np.append(dates.to_numpy("datetime64[us]"), np.datetime64("NaT", "us"))
    read = pd.Series(table[codes], index=column.index)
    return read, np.append(bad.to_numpy(bool), False)[codes]


def read_content(column: pd.Series, content: ColumnContent) -> tuple[Floats, Booleans]:
    """Read numbers, or dates as seconds since 1970, of a column; mask unreadable cells."""
    if content.content_type != "date":
        written: Any = content.content_type
        return read_numbers(column, content.words, written)
    dates, bad = read_dates(column, content.date_format)
    seconds = (dates - pd.Timestamp(0)).dt.total_seconds()
    return np.asarray(seconds, float), bad


def date_texts(values: list[Hashable]) -> pd.Series:
    """Return cells as text without blanks around it."""
    return pd.Series([str(value).strip(BLANKS) for value in values], dtype=object)


def parse_dates(text: pd.Series, date_format: str) -> pd.Series:
    """Parse text in one format as datetimes without a time zone, NaT where it does not fit."""
    # Words such as "today" are dates to pandas.
    text = text.where(text.str.fullmatch(ISO_DATE if date_format == ISO else ".*[0-9].*"))
    dates = pd.to_datetime(text, format=date_format, errors="coerce", utc=True)
    return dates.dt.tz_convert(None).astype("datetime64[us]")


NOON = 12


# Times of a day recur in each part of a table.
@lru_cache(maxsize=100_000)
def seconds_of(text: str, first_of_two: Literal["hours", "minutes"]) -> float | None:
    """Parse a time as seconds; None if it is no time.

    Examples
    --------
    >>> texts = ("2:30", "2:30 pm", "0:02:30", "pt1h20m", "soon")
    >>> [seconds_of(text, "hours") for text in texts]
    [9000.0, 52200.0, 150.0, 4800.0, None]
    >>> seconds_of("2:30", "minutes")
    150.0
    """
    clock = CLOCK.fullmatch(text)
    if clock is None and DURATION.fullmatch(text):
        with suppress(ValueError):
            # ISO 8601 is written in capitals, units are not.
            return pd.Timedelta(text.upper() if text[0] == "p" else text).total_seconds()
    if clock is None:
        return None
    days, hours, minutes, seconds = (float(part or 0) for part in clock.groups()[:4])
    *_, third, half = clock.groups()
    if half is not None:
        if not 1 <= hours <= NOON:
            return None
        hours = hours % NOON + NOON * (half == "p")
    elif third is None and first_of_two == "minutes":
        seconds = minutes
        minutes = hours
        hours = 0.0
    return days * 86400.0 + hours * 3600.0 + minutes * 60.0 + seconds


def _number(text: str) -> float | None:
    text = with_leading_sign(text)
    return float(text) if NUMBER.fullmatch(text) and np.isfinite(float(text)) else None


# Text in small letters, without blanks around it, as a number; None if it is none.
READ: dict[Written, Callable[[str], float | None]] = {
    "number": _number,
    "boolean": TRUTH.get,
    "hours": partial(seconds_of, first_of_two="hours"),
    "minutes": partial(seconds_of, first_of_two="minutes"),
}
