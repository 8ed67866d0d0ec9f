"""Formats of dates, and which of day and month comes first."""

import re
import warnings

import pandas as pd

from moselect.listing import short
from moselect.tables.amounts import GAPS
from moselect.tables.cells import ISO, date_texts, distinct_cells, parse_dates, read_dates

TRIED_FIRST = 50  # cells that suffice to rule out most contents
_DATES = """
%d.%m.%Y|%d.%m.%y|%m/%d/%Y|%d/%m/%Y|%m/%d/%y|%d/%m/%y|%Y/%m/%d|%d-%m-%Y
|%m-%d-%Y|%d %b %Y|%d %B %Y|%d-%b-%Y|%b %d, %Y|%B %d, %Y
""".replace("\n", "").split("|")
DATE_FORMATS = (
    ISO,
    *(day + time for time in ("", " %H:%M", " %H:%M:%S") for day in _DATES),
)
SWAPPED = {"%d": "%m", "%m": "%d"}


def find_date_format(column: pd.Series) -> str | None:
    """Return the first date format that fits all cells; None if none does.

    ValueError if days and months may be interchanged. Dates that are all on one day of the
    month in one reading have this one.
    """
    text = date_texts(distinct_cells(column)[1])
    text = text[~text.str.lower().isin(GAPS)]
    first = text[:TRIED_FIRST]
    # Every format needs digits, and most columns of text have none.
    if text.empty or not first.str.contains("[0-9]").all():
        return None
    likely = [name for name in DATE_FORMATS if parse_dates(first, name).notna().all()]
    fitting = {
        name: dates for name in likely if (dates := parse_dates(text, name)).notna().all()
    }
    found = next(iter(fitting), None)
    swapped = re.sub("%[dm]", lambda part: SWAPPED[part[0]], found or "")
    if found is None or swapped not in fitting or fitting[found].equals(fitting[swapped]):
        return found
    stated = column.attrs.get("dates")
    if stated is not None:
        return found if found[1] == stated[0] else swapped
    differ = fitting[found] != fitting[swapped]
    example = text[differ].iloc[0]
    monthly = [name for name in (found, swapped) if fitting[name].dt.day.nunique() == 1]
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
        f"dates of '{column.name}' are read as {monthly[0]}, all on one day of the month: "
        f"{example} is {fitting[monthly[0]][differ].iloc[0]:%Y-%m-%d}",
        stacklevel=2,
    )
    return monthly[0]


def date_notes(times: pd.Series) -> list[str]:
    """Describe how dates of samples are read, unless they are ISO 8601."""
    if pd.api.types.infer_dtype(times) != "string":
        return []
    with warnings.catch_warnings(action="ignore"):  # the note names the format, too
        date_format = find_date_format(times)
    if date_format in (None, ISO):
        return []
    first = times.dropna()[:1]
    date = read_dates(first, date_format)[0].iloc[0]
    shown = f"{first.iloc[0]} is {date:%Y-%m-%d}"
    return [f"'{short(times.name)}' is read as {date_format}: {shown}"]
