"""Preparation of date columns; fitted state is plain values."""

import shlex
from typing import Literal, Self, get_args

import msgspec
import numpy as np
import pandas as pd

from moselect.preprocessing.number_columns import MARK, WORDS, Column, is_common
from moselect.preprocessing.terms import (
    SECONDS_OF_DAY,
    Curve,
    DatePart,
    DaysBetween,
    Missing,
    PartOfDate,
    Standardised,
    TableTerms,
    Term,
    date_part,
)
from moselect.tables.cells import ISO

DatePartName = Literal["days", "month", "weekday", "hour"]
DATE_PARTS: tuple[DatePartName, ...] = get_args(DatePartName)


class DateColumns(Column, tag="date", frozen=True, kw_only=True):
    """Recurring parts of dates, optionally the days, with median imputation.

    ``date_format`` is a format of `datetime.strptime`, or ``"ISO8601"``. Days are counted
    from the ``origin``, the first date in training, with fractions; months from 1;
    weekdays from 1 on Monday; hours with fractions. ``fill`` and ``origin`` are ISO 8601.
    Days are clipped to the ``span`` of the training dates: no trend is extrapolated.
    With ``indicator`` a last column is 1 where the date is missing, else 0.
    ``"29.02.2024"``, a Thursday, becomes month 2 and weekday 4.
    """

    date_format: str
    origin: str
    span: float
    parts: tuple[DatePartName, ...]
    fill: str

    @classmethod
    def learn(
        cls, name: str, date_format: str, dates: pd.Series, trend: bool = False
    ) -> Self:
        """Learn from the dates (n,), NaT where they are missing; parts may be none.

        Days since the first date are a part only with a ``trend``: without one, a curve
        of them adds nothing but variance.
        """
        present = dates.dropna().sort_values()
        origin = present.iloc[0].isoformat()
        n_missing = len(dates) - len(present)
        parts = DATE_PARTS if trend else DATE_PARTS[1:]
        if (present.dt.day == 1).all():  # months, whose first weekday means nothing
            parts = tuple(part for part in parts if part != "weekday")
        # constant parts carry no information
        varying = [
            part
            for part in parts
            if np.ptp(date_part(present, "seconds" if part == "days" else part))
        ]
        return cls(
            name=name,
            date_format=date_format,
            origin=origin,
            span=(present.iloc[-1] - present.iloc[0]) / pd.Timedelta(days=1),
            parts=tuple(varying),
            fill=present.iloc[(len(present) - 1) // 2].isoformat(),
            n_missing=n_missing,
            indicator=is_common(n_missing, len(dates)),
        )

    @property
    def endings(self) -> list[str]:
        """Suffixes of the output names."""
        return [f" {part}" for part in self.parts] + [MARK] * self.indicator

    @property
    def expected_format(self) -> str:
        """Expected content of a cell."""
        example = self.origin.removesuffix("T00:00:00")
        if self.date_format != ISO:
            example = pd.Timestamp(self.origin).strftime(self.date_format)
        return f"a date such as {example}"

    @property
    def note(self) -> str:
        """Short description of the transformation."""
        parts = [
            f"days since {self.origin[:10]}" if p == "days" else p for p in self.parts
        ]
        written = "" if self.date_format == ISO else f", read as {self.date_format}"
        gaps = self.gap_note and f"; {self.gap_note}"
        return f"date as {', '.join(parts)}{written}{gaps}"

    def terms(self) -> list[Term]:
        """Return the output columns as formulas."""
        terms: list[Term] = [
            self._clipped_days() if part == "days" else self.term(part)
            for part in self.parts
        ]
        if self.indicator:
            terms.append(Missing(self.term("seconds")))
        return terms

    def _clipped_days(self) -> Curve:
        """Return the days since the first training date, clipped to the training range."""
        origin = _part_of(self.origin, "seconds")
        # 0 before the first training date, the identity up to the last, constant after it
        return Curve(
            Standardised(self.term("seconds"), origin, SECONDS_OF_DAY),
            breaks=(0.0, self.span),
            centres=(0.0, 0.0, self.span),
            coefficients=((0.0, 0.0), (1.0, 0.0), (0.0, self.span)),
        )

    def term(self, part: PartOfDate) -> DatePart:
        """Return a part of the dates as a formula."""
        fill = _part_of(self.fill, part)
        return DatePart(self.name, part, self.date_format, fill, WORDS)

    def is_value(self, output: int) -> bool:
        """Return whether an output column is the days since the first date."""
        return self.parts[output : output + 1] == ("days",)

    def cut_text(self, output: int, cut: float) -> str:
        """Format a split point as a date, or as a number for months and other parts."""
        if not self.is_value(output):
            return Column.cut_text(self, output, cut)
        date = pd.Timestamp(self.origin) + pd.Timedelta(days=cut)
        return date.isoformat(" ", "minutes").removesuffix(" 00:00")


class DaysColumn(Column, tag="days between", frozen=True, kw_only=True):
    """Days from one date of a row to another, with median imputation.

    ``"2024-02-28"`` and ``"2024-03-01"`` are 2 days apart.
    """

    start: DateColumns
    end: DateColumns
    fill: float = np.nan

    @classmethod
    def learn(
        cls, start: DateColumns, end: DateColumns, table: TableTerms
    ) -> Self | None:
        """Fit to a table, the order chosen so that most are positive; None if constant."""
        draft = cls(name=f"days from {start.name} to {end.name}", start=start, end=end)
        days = draft.evaluate(table)[:, 0]
        present = days[~np.isnan(days)]
        if len(np.unique(present)) < 2:
            return None
        fill = float(np.median(present))
        n_missing = len(days) - len(present)
        if fill < 0.0:
            return cls.learn(end, start, table)
        return msgspec.structs.replace(draft, fill=fill, n_missing=n_missing)

    @property
    def inputs(self) -> tuple[DateColumns, DateColumns]:
        """Start and end date columns."""
        return (self.start, self.end)

    @property
    def note(self) -> str:
        """Short description of the transformation."""
        return f"days between two dates; {self.gap_note}".removesuffix("; ")

    @property
    def setting(self) -> str:
        """Parameter that excludes a date."""
        return f"drop={shlex.quote(self.end.name)}"

    def terms(self) -> list[Term]:
        """Return the output column as a formula."""
        start, end = (date.term("seconds") for date in self.inputs)
        return [DaysBetween(start, end, self.fill)]


def _part_of(date: str, part: PartOfDate) -> float:
    """Return one part of a date in ISO 8601."""
    return float(date_part(pd.Series([date], dtype="datetime64[us]"), part)[0])
