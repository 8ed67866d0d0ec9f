"""Expression tree of the features of a linear score: terms of a row's columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from moselect.samples.features import names_or_numbers, steps_of


@dataclass(frozen=True)
class Number:
    """A column of numbers; missing values and words in ``gaps`` become ``fill``.

    Without a fill rows with missing values get no class.
    """

    name: str
    fill: float | None = None
    gaps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Truth:
    """1 for true, 0 for false, as booleans, numbers or words; missing values become ``fill``."""

    name: str
    fill: float
    gaps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Time:
    """A clock time or duration in seconds; missing values and ``gaps`` become ``fill``.

    The first part of times with two parts, as 2:30, has the given unit in seconds.
    """

    name: str
    first_of_two: float
    fill: float
    gaps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Level:
    """A number for each level of a column of text, and one for other levels and missing values.

    Surrounding blanks are ignored, and blank cells are missing.
    """

    name: str
    values: Mapping[str, float]
    otherwise: float = 0.0
    missing: float = 0.0


@dataclass(frozen=True)
class DatePart:
    """The seconds since 1970, month, weekday (Monday is 1) or hour of a date.

    Dates are ISO 8601, and text as ``date_format``, with leading zeros. Missing ones, and
    words in ``gaps``, become ``fill``.
    """

    name: str
    part: Literal["seconds", "month", "weekday", "hour"]
    date_format: str
    fill: float
    gaps: tuple[str, ...] = ()


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

    term: Number | Truth | Time | DatePart

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


Leaf = Number | Truth | Time | DatePart | Level | Missing  # of a single column
Term = Leaf | DaysBetween | Standardised | Curve | Product


def terms_of(columns: object, names: Sequence[str]) -> tuple[Term, ...]:
    """Return the outputs of a transformer as formulas of the columns of its table.

    ``names`` are the column names without a transformer. ValueError if a step has
    no formula.
    """
    steps = steps_of(columns)
    for step in steps:
        if not hasattr(step, "terms"):
            raise ValueError(
                f"columns of {type(step).__name__} have no formula, so the model cannot be "
                "written down: moselect predict applies it"
            )
    if steps and hasattr(
        steps[0], "problems"
    ):  # a preparation of tables with columns of any type
        first, *steps = steps
        terms = tuple(first.terms())
    else:
        if steps:
            names = names_or_numbers(
                getattr(steps[0], "feature_names_in_", None), steps[0].n_features_in_
            )
        terms = tuple(map(Number, names))
    for step in steps:
        terms = step.terms(terms)
    return terms


def leaves(term: Term) -> list[Leaf]:
    """Return the single-column terms within a term, in order."""
    if isinstance(term, Leaf):
        return [term]
    inner = (part for part in vars(term).values() if isinstance(part, Term))
    return [leaf for part in inner for leaf in leaves(part)]
