"""Expression tree of the features of a linear score: terms of a row's columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd

from moselect._types import Array, Booleans, Floats, Integers
from moselect.tables.cells import read_dates, read_numbers
from moselect.tables.features import Written
from moselect.tables.levels import read_levels

SECONDS_OF_DAY = 86_400.0
PartOfDate = Literal["seconds", "month", "weekday", "hour"]


@dataclass(frozen=True)
class Number:
    """A column of numbers; missing values and words in ``gaps`` become ``fill``.

    Without a fill rows with missing values get no class. True is 1, false 0, and a clock
    time or duration its seconds: the first of two parts, as in 2:30, are hours or minutes.
    A ``unit`` may follow each number in a file.
    """

    name: str
    fill: float | None = None
    gaps: tuple[str, ...] = ()
    content_type: Written = "number"
    unit: str = ""


@dataclass(frozen=True)
class Level:
    """A number for each level of a column of text, and one for other levels and missing values.

    Surrounding blanks are ignored, and blank cells are missing.
    """

    name: str
    values: Mapping[str, float] = field(hash=False)
    otherwise: float = 0.0
    missing: float = 0.0
    content_type: ClassVar[str] = "levels"


@dataclass(frozen=True)
class DatePart:
    """The seconds since 1970, month, weekday (Monday is 1) or hour of a date.

    Dates are ISO 8601, and text as ``date_format``. Missing ones, and words in ``gaps``,
    become ``fill``.
    """

    name: str
    part: PartOfDate
    date_format: str
    fill: float
    gaps: tuple[str, ...] = ()
    content_type: ClassVar[str] = "date"


@dataclass(frozen=True)
class Pair:
    """A number for each pair of levels of two columns, with a ``separator`` between the two.

    It occurs in ensembles only, and within no other term.
    """

    first: str
    second: str
    separator: str
    values: Mapping[str, float]
    otherwise: float


@dataclass(frozen=True)
class Missing:
    """1 where a term of a column has no value, 0 where it has one."""

    term: Numeric

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.term.name


@dataclass(frozen=True)
class DaysBetween:
    """The days from one date, in seconds, to another; ``fill`` where one of them is missing."""

    start: DatePart
    end: DatePart
    fill: float


@dataclass(frozen=True)
class Standardised:
    """``(x - centre) / scale`` of a term x."""

    x: Term
    centre: float
    scale: float


@dataclass(frozen=True)
class Curve:
    """A piecewise polynomial of a term x.

    Piece k holds from ``breaks[k - 1]`` (included) up to ``breaks[k]`` and is a
    polynomial of ``u = x - centres[k]``, whose coefficients stand highest power first.
    """

    x: Term
    breaks: tuple[float, ...]
    centres: tuple[float, ...]
    coefficients: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Product:
    """The product of two terms."""

    first: Term
    second: Term


Numeric = Number | DatePart
Leaf = Numeric | Level | Missing  # of a single column
Term = Leaf | DaysBetween | Standardised | Curve | Product


def leaves(term: Term | Pair) -> list[Leaf]:
    """Return the single-column terms within a term, in order."""
    if isinstance(term, Leaf):
        return [term]
    if isinstance(term, Pair):
        return [Level(name, {}) for name in (term.first, term.second)]
    inner = (part for part in vars(term).values() if isinstance(part, Term))
    return [leaf for part in inner for leaf in leaves(part)]


class TableTerms:
    """Values of terms on the rows of a table; the cells of a column are parsed once."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame
        # The index of each cell's level, -1 if missing, and the levels of a column.
        self.levels = cache(lambda name: read_levels(frame.loc[:, name]))
        # Numbers, or a Series of dates, of a column, and a mask of unreadable cells.
        self._parsed: dict[str, tuple[Any, Booleans]] = {}
        # The piece of each row, and its distance from the centre of the piece, which the
        # splines of a number share.
        self._pieces: dict[object, tuple[Integers, Floats]] = {}

    def values(self, term: Term | Pair) -> Floats:
        """Evaluate a term, operation by operation, shape (n,)."""
        match term:
            case Level(name, values, otherwise, missing):
                codes, levels = self.levels(name)
                known = [values.get(level, otherwise) for level in levels]
                numbers = np.array([*known, missing], float)
                return numbers[codes]
            case Pair(first, second, separator, values, otherwise):
                pairs = self.texts(first) + separator + self.texts(second)
                places, distinct = pd.factorize(pairs)
                numbers = np.array([values.get(pair, otherwise) for pair in distinct])
                return numbers[places]
            case Missing(leaf):
                return np.isnan(self.numbers(leaf)).astype(float)
            case DaysBetween(start, end, fill):
                days = (self.numbers(end) - self.numbers(start)) / SECONDS_OF_DAY
                return np.where(np.isnan(days), fill, days)
            case Standardised(inner, centre, scale):
                return (self.values(inner) - centre) / scale
            case Curve(inner, breaks, centres, coefficients):
                key = inner, breaks, centres
                if key not in self._pieces:
                    column = self.values(inner)
                    piece = np.searchsorted(breaks, column, side="right")
                    self._pieces[key] = piece, column - np.array(centres)[piece]
                piece, u = self._pieces[key]
                highest, *others = np.array(coefficients).T
                total = highest[piece]
                for power in others:
                    total *= u
                    total += power[piece]
                return total
            case Product(left, right):
                return self.values(left) * self.values(right)
            case leaf:
                numbers = self.numbers(leaf)
                fill = np.nan if leaf.fill is None else leaf.fill
                return np.where(np.isnan(numbers), fill, numbers)

    def numbers(self, leaf: Numeric) -> Floats:
        """Return the numbers (n,) of a column, NaN where they are missing or unreadable."""
        if isinstance(leaf, DatePart):
            return date_part(self.dates(leaf.name, leaf.date_format), leaf.part)
        if leaf.name not in self._parsed:
            column = self.frame[leaf.name]
            self._parsed[leaf.name] = read_numbers(column, leaf.gaps, leaf.content_type)
        return self._parsed[leaf.name][0]

    def dates(self, name: str, date_format: str) -> pd.Series:
        """Return the dates (n,) of a column, NaT where they are missing or unreadable."""
        if name not in self._parsed:
            self._parsed[name] = read_dates(self.frame[name], date_format)
        return self._parsed[name][0]

    def gaps(self, name: str) -> tuple[Booleans, Booleans]:
        """Mask the cells (n,) of a column without a value, and without its format.

        A column whose terms are evaluated as numbers or dates has a format, others have
        levels.
        """
        if name not in self._parsed:
            missing = self.levels(name)[0] < 0
            return missing, np.zeros_like(missing)
        cells, unreadable = self._parsed[name]
        return np.asarray(pd.isna(cells)) & ~unreadable, unreadable

    @property
    def parsed(self) -> dict[str, Floats]:
        """Numbers (n,) of the columns evaluated so far that hold numbers, dates or times."""
        return {
            name: date_part(cells, "seconds") if isinstance(cells, pd.Series) else cells
            for name, (cells, _) in self._parsed.items()
        }

    def texts(self, name: str) -> Array:
        """Return the level of each cell (n,) as text, "" where it is missing."""
        codes, levels = self.levels(name)
        return np.array([*levels, ""], object)[codes]


def date_part(dates: pd.Series, part: PartOfDate) -> Floats:
    """Return a part of dates as numbers (n,), NaN where they are missing."""
    numbers: pd.Series
    match part:
        case "seconds":
            numbers = (dates - pd.Timestamp("1970-01-01")) / pd.Timedelta(seconds=1)
        case "month":
            numbers = dates.dt.month
        case "weekday":
            numbers = dates.dt.day_of_week + 1
        case "hour":
            numbers = (dates - dates.dt.normalize()) / pd.Timedelta(hours=1)
    return np.asarray(numbers, float)
