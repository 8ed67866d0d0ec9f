"""Formats of dates, and which of day and month comes first."""

import re
import warnings
from contextlib import suppress
from datetime import date, datetime

import numpy as np
import pandas as pd

from moselect.listing import short
from moselect.tables.amounts import GAPS
from moselect.tables.cells import (
    ISO,
    ISO_DATE,
    date_texts,
    distinct_cells,
    parse_dates,
    read_dates,
)

_DATES = """
%d.%m.%Y|%d.%m.%y|%m/%d/%Y|%d/%m/%Y|%m/%d/%y|%d/%m/%y|%Y/%m/%d|%d-%m-%Y
|%m-%d-%Y|%d %b %Y|%d %B %Y|%d-%b-%Y|%d-%b-%y|%b %d, %Y|%B %d, %Y
""".replace("\n", "").split("|")
_TIMES = ("", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p")
# Months stand for their first day.
_MONTHS = ("%Y-%m", "%m/%Y", "%b-%Y", "%b %Y", "%B-%Y", "%B %Y")
DATE_FORMATS = (
    ISO,
    *(day + time for time in _TIMES for day in _DATES),
    *_MONTHS,
)
# Periods that begin on a given day: 2021/22 or 2021-22 of a school, 2021Q3 or Q3 2021, 2021-W31.
SCHOOL_YEAR = re.compile(r"(\d{4})[/-](?:\d{2})?(\d{2})")
QUARTER = re.compile(r"(\d{4})[ -]?Q([1-4])|Q([1-4])[ /-]?(\d{4})")
WEEK = re.compile(r"(\d{4})-?W(\d{2})")
SCHOOL_BEGINS = 8  # August
SWAPPED = str.maketrans("dm", "md")  # day and month of a format


def find_date_format(column: pd.Series) -> str | None:
    """Return the first date format that fits all cells; None if none does.

    ValueError if days and months may be interchanged. Dates without a time that are all first
    days of months in one reading have this one.
    """
    text = date_texts(distinct_cells(column)[1])
    text = text[~text.str.lower().isin(GAPS)]
    if text.empty:
        return None
    # Most formats do not fit the first cell, and pandas takes long to find out.
    likely = [name for name in DATE_FORMATS if _fits(text.iloc[0], name)]
    fitting = {
        name: dates for name in likely if (dates := parse_dates(text, name)).notna().all()
    }
    found = next(iter(fitting), None)
    swapped = (found or "").translate(SWAPPED)
    if found is None or swapped not in fitting or fitting[found].equals(fitting[swapped]):
        return found
    stated = column.attrs.get("dates")
    if stated is not None:
        return found if found[1] == stated[0] else swapped
    differ = fitting[found] != fitting[swapped]
    example = text[differ].iloc[0]
    monthly = [
        name
        for name in (found, swapped)
        if {*fitting[name].dt.strftime("%d %H:%M:%S")} == {"01 00:00:00"}
    ]
    if len(monthly) != 1:
        ways = " or ".join(
            f"dates={'day' if name[1] == 'd' else 'month'} "
            f"({fitting[name][differ].iloc[0]:%Y-%m-%d})"
            for name in sorted((found, swapped))
        )
        raise ValueError(
            f"dates of '{column.name}' may have the day or the month first, such as {example}: "
            f"read the table with {ways}, or give dates like these in brackets"
        )
    warnings.warn(
        f"dates of '{column.name}' are read as {monthly[0]}, all first days of months: "
        f"{example} is {fitting[monthly[0]][differ].iloc[0]:%Y-%m-%d}",
        stacklevel=2,
    )
    return monthly[0]


def _fits(text: str, date_format: str) -> bool:
    """Return whether a text may be a date in a format."""
    if date_format == ISO:
        return ISO_DATE.fullmatch(text) is not None
    try:
        datetime.strptime(text, date_format)
    except ValueError:
        return False
    return True


def first_days(column: pd.Series) -> pd.Series | None:
    """Return the first days of school years, quarters or weeks; None if a cell is none.

    Examples
    --------
    >>> [first_days(pd.Series([cell])).dt.date.item().isoformat()
    ...  for cell in ("2021/22", "2021Q3", "Q3 2021", "2021-W31")]
    ['2021-08-01', '2021-07-01', '2021-07-01', '2021-08-02']
    >>> first_days(pd.Series(["2021/22", "2021/08"])) is None
    True
    """
    codes, cells = distinct_cells(column)
    days = [_first_day(text.upper()) for text in date_texts(cells)]
    if not days or None in days:
        return None
    known = np.array([*days, None], "datetime64[us]")
    return pd.Series(known[codes], column.index, name=column.name)


def _first_day(text: str) -> date | None:
    """Return the first day of a school year, a quarter or a week; None if it is none."""
    school_year = SCHOOL_YEAR.fullmatch(text)
    if school_year and (int(school_year[1]) + 1) % 100 == int(school_year[2]):
        return date(int(school_year[1]), SCHOOL_BEGINS, 1)
    quarter = QUARTER.fullmatch(text)
    if quarter:
        year = int(quarter[1] or quarter[4])
        return date(year, 3 * int(quarter[2] or quarter[3]) - 2, 1)
    week = WEEK.fullmatch(text)
    with suppress(ValueError):  # no year has 54 weeks
        return week and date.fromisocalendar(int(week[1]), int(week[2]), 1)
    return None


def date_notes(times: pd.Series) -> list[str]:
    """Describe how dates of samples are read, unless they are ISO 8601."""
    if pd.api.types.infer_dtype(times) != "string":
        return []
    with warnings.catch_warnings(action="ignore"):  # the note names the format, too
        date_format = find_date_format(times)
    first = times.dropna()[:1]
    dates = first_days(first)
    format_words = "by the first day"
    if date_format is not None:
        dates = read_dates(first, date_format)[0]
        format_words = f"as {date_format}"
    if dates is None or date_format == ISO:
        return []
    shown = f"{first.iloc[0]} is {dates.iloc[0]:%Y-%m-%d}"
    return [f"'{short(times.name)}' is read {format_words}: {shown}"]
