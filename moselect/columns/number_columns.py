"""How a column of numbers or dates becomes columns of numbers: learnt, and kept as plain values.

Plain values can be written down as text, read back, and translated into other languages, identical
to the bit.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, Self, get_args

import msgspec
import numpy as np
import pandas as pd

from moselect._types import Booleans, Floats
from moselect.columns.cells import GAPS, ISO, READERS, Written, read_dates
from moselect.columns.times import HOURS, MINUTES
from moselect.listing import listing
from moselect.models.terms import (
    DatePart,
    DaysBetween,
    Missing,
    Number,
    Standardised,
    Term,
    Time,
    Truth,
)

FEWEST_ROWS, SMALLEST_SHARE = 5, 0.01  # rarer gaps are not marked; rarer levels share a column
WORDS = tuple(sorted(GAPS - {""}))  # of missing values; empty text is one anyway
EPOCH = "1970-01-01"
MEANT: dict[Written, str] = {
    "number": "a finite number",
    "boolean": "True or False",
    "hours": "a time such as 2:30 or 1 h 20 min",
    "minutes": "a time such as 0:02:30 or 2:30",
}
FIRST_OF_TWO: dict[Written, float] = {"hours": HOURS, "minutes": MINUTES}
ELSEWHERE = "so the model cannot be written down: moselect predict applies it"

PartOfDate = Literal["days", "month", "weekday", "hour"]
DATE_PARTS: tuple[PartOfDate, ...] = get_args(PartOfDate)


class Cells(NamedTuple):
    """The cells of a column as numbers (n, k), and which (n,) cannot be read or are missing."""

    values: Floats
    bad: Booleans
    missing: Booleans


class Column(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"
):
    """What all kinds have: the column in the table, and its missing values in training."""

    name: str
    n_missing: int | None = None

    @property
    def inputs(self) -> tuple[Column, ...]:
        """The columns of the table of which it is made, each as it is read alone."""
        return (self,)

    @property
    def meant(self) -> str:
        """What a cell must hold."""
        return "any text"

    def read(self, frame: pd.DataFrame) -> Cells:
        """Read the cells of a table."""
        raise NotImplementedError

    def gap_note(self, indicator: bool) -> str:
        """Say what is done to missing values, "" if there were none."""
        marked = " and marked" if indicator else ""
        return f"{self.n_missing} gaps filled with the median{marked}" if self.n_missing else ""


class NumberColumn(Column, tag="number", frozen=True, kw_only=True):
    """Numbers, booleans as 0 and 1, or times in seconds, missing ones filled with the median.

    With ``indicator`` a second column is 1 where the value is missing, else 0. The ``words`` that
    stood among the numbers in training are missing values, too. Cells may have a ``unit`` behind
    them in a file.
    """

    written: Written = "number"
    fill: float
    indicator: bool = False
    words: tuple[str, ...] = ()
    unit: str = ""

    @classmethod
    def learn(
        cls,
        name: str,
        written: Written,
        values: Floats,
        words: tuple[str, ...] = (),
        unit: str = "",
    ) -> Self:
        """Learn from the values (n,), NaN where they are missing."""
        n_missing = int(np.isnan(values).sum())
        fill = float(np.nanmedian(values))
        return cls(
            name=name,
            written=written,
            fill=float(np.rint(fill)) if written == "boolean" else fill,
            n_missing=n_missing,
            indicator=is_common(n_missing, len(values)),
            words=words,
            unit=unit,
        )

    @property
    def output_names(self) -> list[str]:
        """Names of the columns of numbers."""
        return [self.name, f"{self.name} missing"] if self.indicator else [self.name]

    @property
    def meant(self) -> str:
        """What a cell must hold."""
        return MEANT[self.written]

    @property
    def note(self) -> str:
        """What is done to it, in a few words."""
        words = f"read as numbers, {listing(self.words, 5)} as gaps" if self.words else ""
        time = f"time in seconds, 2:30 in {self.written}" if self.written in FIRST_OF_TWO else ""
        return "; ".join(filter(None, (words, time, self.gap_note(self.indicator))))

    def read(self, frame: pd.DataFrame) -> Cells:
        """Read the cells of a table."""
        values, bad = READERS[self.written](frame[self.name], self.words)
        missing = np.isnan(values)
        columns = [np.where(missing, self.fill, values)]
        if self.indicator:
            columns.append(missing.astype(np.float64))
        return Cells(np.column_stack(columns), bad, missing & ~bad)

    def terms(self) -> list[Term]:
        """Return the columns of numbers as formulas."""
        gaps = (*WORDS, *self.words)
        number: Number | Truth | Time
        if self.written in FIRST_OF_TWO:
            number = Time(self.name, FIRST_OF_TWO[self.written], self.fill, gaps)
        else:
            number = (Truth if self.written == "boolean" else Number)(self.name, self.fill, gaps)
        return [number, Missing(number)] if self.indicator else [number]


class DateColumns(Column, tag="date", frozen=True, kw_only=True):
    """Parts of dates that recur, and days if asked for; missing dates are filled with the median.

    ``date_format`` is as `datetime.strptime` has it, or ``"ISO8601"``. Days are counted from the
    ``origin``, the first date in training, with fractions; months from 1; weekdays from 1 on
    Monday; hours with fractions. ``fill`` and ``origin`` are ISO 8601. With ``indicator`` a last
    column is 1 where the date is missing, else 0.
    """

    date_format: str
    origin: str
    parts: tuple[PartOfDate, ...]
    fill: str
    indicator: bool = False

    @classmethod
    def learn(cls, name: str, date_format: str, dates: pd.Series, trend: bool = False) -> Self:
        """Learn from the dates (n,), NaT where they are missing; parts may be none.

        Days since the first date are a part with a ``trend`` only: all later dates are out of the
        range that they had in training.
        """
        present = dates.dropna().sort_values()
        origin = present.iloc[0].isoformat()
        return cls(
            name=name,
            date_format=date_format,
            origin=origin,
            parts=tuple(
                part
                for part in DATE_PARTS
                if (trend or part != "days") and np.ptp(_date_part(present, part, origin)) > 0.0
            ),
            fill=present.iloc[(len(present) - 1) // 2].isoformat(),
            n_missing=len(dates) - len(present),
            indicator=is_common(len(dates) - len(present), len(dates)),
        )

    @property
    def output_names(self) -> list[str]:
        """Names of the columns of numbers."""
        names = [f"{self.name} {part}" for part in self.parts]
        return [*names, f"{self.name} missing"] if self.indicator else names

    @property
    def meant(self) -> str:
        """What a cell must hold."""
        if self.date_format == ISO:
            return f"a date such as {self.origin.removesuffix('T00:00:00')}"
        return f"a date such as {pd.Timestamp(self.origin).strftime(self.date_format)}"

    @property
    def note(self) -> str:
        """What is done to it, in a few words."""
        parts = [f"days since {self.origin[:10]}" if p == "days" else p for p in self.parts]
        written = "" if self.date_format == ISO else f", read as {self.date_format}"
        gaps = self.gap_note(self.indicator)
        return f"date as {', '.join(parts)}{written}{gaps and f'; {gaps}'}"

    def read(self, frame: pd.DataFrame) -> Cells:
        """Read the cells of a table."""
        dates, bad = read_dates(frame[self.name], self.date_format)
        missing = dates.isna().to_numpy()
        filled = dates.where(~missing, pd.Timestamp(self.fill))
        columns = [_date_part(filled, part, self.origin) for part in self.parts]
        if self.indicator:
            columns.append(missing.astype(np.float64))
        return Cells(np.column_stack(columns), bad, missing & ~bad)

    def terms(self) -> list[Term]:
        """Return the columns of numbers as formulas."""
        origin = float(_date_part(_series(self.origin), "seconds")[0])
        terms: list[Term] = [
            Standardised(self.term("seconds"), origin, 86400.0)
            if part == "days"
            else self.term(part)
            for part in self.parts
        ]
        return [*terms, Missing(self.term("seconds"))] if self.indicator else terms

    def term(self, part: Literal["seconds", "month", "weekday", "hour"]) -> DatePart:
        """Return a part of the dates as a formula."""
        fill = float(_date_part(_series(self.fill), part)[0])
        return DatePart(self.name, part, self.date_format, fill, WORDS)


class DaysColumn(Column, tag="days between", frozen=True, kw_only=True):
    """The days from one date of a row to another; their median where one of them is missing."""

    start: DateColumns
    end: DateColumns
    fill: float = np.nan

    @classmethod
    def learn(cls, start: DateColumns, end: DateColumns, frame: pd.DataFrame) -> Self | None:
        """Learn from a table, so that most days are positive; None if all are the same."""
        draft = cls(name=f"days from {start.name} to {end.name}", start=start, end=end)
        days = draft.read(frame).values
        present = days[~np.isnan(days)]
        if len(np.unique(present)) < 2:
            return None
        if np.median(present) < 0.0:
            return cls.learn(end, start, frame)
        n_missing = len(days) - len(present)
        return msgspec.structs.replace(draft, fill=float(np.median(present)), n_missing=n_missing)

    @property
    def inputs(self) -> tuple[Column, ...]:
        """The columns of the two dates."""
        return (self.start, self.end)

    @property
    def output_names(self) -> list[str]:
        """Names of the columns of numbers."""
        return [self.name]

    @property
    def note(self) -> str:
        """What is done to it, in a few words."""
        return self.gap_note(indicator=False) or "between two dates"

    def read(self, frame: pd.DataFrame) -> Cells:
        """Read the cells of a table."""
        start, unread = read_dates(frame[self.start.name], self.start.date_format)
        end, bad = read_dates(frame[self.end.name], self.end.date_format)
        days = (end - start).dt.total_seconds().to_numpy() / 86400.0
        missing = np.isnan(days)
        return Cells(np.where(missing, self.fill, days)[:, None], bad | unread, missing)

    def terms(self) -> list[Term]:
        """Return the column of numbers as a formula."""
        return [DaysBetween(self.start.term("seconds"), self.end.term("seconds"), self.fill)]


def is_common(n_rows: int, n_all: int) -> bool:
    """Return whether so many rows are enough for a column of their own."""
    return n_rows >= max(FEWEST_ROWS, SMALLEST_SHARE * n_all)


def _series(date: str) -> pd.Series:
    return pd.Series([date], dtype="datetime64[us]")


def _date_part(
    dates: pd.Series, part: PartOfDate | Literal["seconds"], origin: str = EPOCH
) -> Floats:
    """Return one part of complete dates as numbers, shape (n,)."""
    if part in ("days", "seconds"):
        numbers = (dates - pd.Timestamp(origin)) / pd.Timedelta(1, part)
    elif part == "month":
        numbers = dates.dt.month
    elif part == "weekday":
        numbers = dates.dt.day_of_week + 1
    else:
        numbers = (dates - dates.dt.normalize()) / pd.Timedelta(hours=1)
    return np.asarray(numbers, dtype=np.float64)
