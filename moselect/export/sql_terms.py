"""Terms as expressions of SQL that SQLite, PostgreSQL and DuckDB compute alike.

Constants are the shortest decimals that are read as the same double. Databases that read
some of 17 digits to the last bit but one (SQLite on some machines) give scores that agree to
14 digits.
"""

from itertools import accumulate

import numpy as np

from moselect.export.sql_dates import date_case, iso_text
from moselect.preprocessing.cells import HOURS
from moselect.preprocessing.terms import (
    Curve,
    DatePart,
    DaysBetween,
    Leaf,
    Level,
    Missing,
    Number,
    Product,
    Standardised,
    Term,
    Time,
    Truth,
)
from moselect.samples.labels import BLANKS

# SQLite takes text that is no number for 0, which would go unnoticed; DuckDB ends the
# query.
NUMERIC = "' +-.0123456789eE'"
DIGITS = "'0123456789'"
NO_NUMBERS = [
    "e%",
    "+e%",
    "-e%",
    "%.e%",
    "%e%e%",
    "%e%.%",
    "%e___%",
    "_%+%",
    "_%-%",
    "%.%.%",
]
TRUE = "('true', '1', '1.0')"
FALSE = "('false', '0', '0.0')"


class Inputs:
    """Terms as SQL; the text of cells, and then the terms of columns, are computed once, before."""

    def __init__(self, table: str, prefix: str) -> None:
        self._table = table
        self._prefix = prefix
        self.texts: dict[str, str] = {}  # column of the innermost subquery, by expression
        self.names: dict[str, str] = {}  # column of the next subquery, by expression

    def term(self, term: Term) -> str:
        """Return the value of a term."""
        match term:
            case Standardised(inner, centre, scale):
                return f"(({self.term(inner)} - {decimal(centre)}) / {decimal(scale)})"
            case Product(left, right):
                return f"({self.term(left)} * {self.term(right)})"
            case DaysBetween(start, end, fill):
                days = f"({self._once(end)} - {self._once(start)}) / 86400"
                gaps = " + ".join(self._once(Missing(date)) for date in (start, end))
                filled = f"WHEN {gaps} > 0 THEN {decimal(fill)}"
                return f"CASE WHEN {days} IS NULL THEN NULL {filled} ELSE {days} END"
            case Curve(inner):
                return _curve(term, self.term(inner))
            case _:
                return self._once(term)

    def _once(self, term: Leaf) -> str:
        name = self.names.setdefault(self._leaf(term), f"{self._prefix}{len(self.names)}")
        return f"{self._table}.{name}"

    def _text(self, expression: str) -> str:
        name = self.texts.setdefault(expression, f"{self._prefix}_text{len(self.texts)}")
        return f"{self._table}.{name}"

    def _leaf(self, term: Leaf) -> str:
        """Return the value of a term of one column."""
        column = f"t.{quoted_name(term.name)}"
        cell = f"CAST({column} AS TEXT)"
        # Imported CSV files often have empty text for missing values.
        present = f"NULLIF(TRIM({cell}, '{BLANKS}'), '')"
        match term:
            case Missing(leaf):
                gap = _gaps(self._text(present), leaf.gaps, 1.0)
                return f"CASE{gap} WHEN {self._leaf(leaf)} IS NOT NULL THEN 0 END"
            case Level(_, values, otherwise, missing):
                text = self._text(present)
                levels = dict[float, list[str]]()
                for level, value in values.items():
                    levels.setdefault(value, []).append(quoted_text(level))
                whens = "".join(
                    f" WHEN {text} IN ({', '.join(texts)}) THEN {decimal(value)}"
                    for value, texts in levels.items()
                )
                return (
                    f"CASE{_gaps(text, (), missing)}{whens} ELSE {decimal(otherwise)} END"
                )
            case Number():
                number = f"CAST({column} AS DOUBLE PRECISION)"
                case = f" WHEN {self._is_number(cell)} THEN {number}"
            case Truth():
                text = self._text(present)
                case = f" WHEN LOWER({text}) IN {TRUE} THEN 1 WHEN LOWER({text}) IN {FALSE} THEN 0"
            case Time():
                case = _time_case(self._text(present), term.first_of_two)
            case DatePart():
                iso = self._text(iso_text(present, term.date_format))
                case = date_case(iso, term.part)
        if term.fill is not None:
            case = f"{_gaps(self._text(present), term.gaps, term.fill)}{case}"
        return f"CASE{case} END"

    def _is_number(self, cell: str) -> str:
        """Return the condition that a cell of text is a number, without any other characters."""
        plain = f"REPLACE(REPLACE(LOWER(TRIM({cell}, ' ')), 'e+', 'f'), 'e-', 'f')"
        text = self._text(f"REPLACE({plain}, 'f', 'e')")
        unlike = "".join(f" AND {text} NOT LIKE '{pattern}'" for pattern in NO_NUMBERS)
        # characters; with exponents of two digits none is too large
        longest_number = 99
        return (
            f"LTRIM({cell}, {NUMERIC}) = '' AND LENGTH({text}) BETWEEN 1 AND {longest_number} "
            f"AND LTRIM(SUBSTR({text}, LENGTH({text}), 1), {DIGITS}) = '' "
            f"AND {text} NOT LIKE '% %'{unlike}"
        )


def _time_case(text: str, first_of_two: float) -> str:
    """Return the seconds of times of two or three parts; other spellings are missing in SQL."""
    whens = ""
    # digits
    most_hours = 3
    for hours in range(1, most_hours + 1):
        for places, unit in (
            ((hours + 2,), first_of_two),
            ((hours + 2, hours + 5), HOURS),
        ):
            unlike = "".join(f" AND SUBSTR({text}, {k}, 1) < '6'" for k in places)
            units = [unit / 60.0, unit / 3600.0]
            parts = [f"CAST(SUBSTR({text}, 1, {hours}) AS INTEGER) * {decimal(unit)}"]
            parts += [
                f"CAST(SUBSTR({text}, {k}, 2) AS INTEGER) * {decimal(smaller)}"
                for k, smaller in zip(places, units, strict=False)
            ]
            whens += (
                f" WHEN {text} LIKE '{'_' * hours}{':__' * len(places)}'"
                f" AND LTRIM(REPLACE({text}, ':', ''), {DIGITS}) = ''"
                f" AND LENGTH(REPLACE({text}, ':', '')) = {hours + 2 * len(places)}{unlike}"
                f" THEN {' + '.join(parts)}"
            )
    return whens


def _curve(curve: Curve, x: str) -> str:
    pieces = [
        _polynomial(f"({x} - {decimal(centre)})", piece)
        for centre, piece in zip(curve.centres, curve.coefficients, strict=True)
    ]
    whens = "".join(
        f" WHEN {below(x, end)} THEN {piece}"
        for end, piece in zip(curve.breaks, pieces[:-1], strict=True)
    )
    return f"CASE WHEN {x} IS NULL THEN NULL{whens} ELSE {pieces[-1]} END"


def _gaps(text: str, gaps: tuple[str, ...], value: float) -> str:
    """Return the first branches of a CASE: the value of missing cells and of their words."""
    words = f" OR LOWER({text}) IN ({', '.join(map(quoted_text, gaps))})" if gaps else ""
    return f" WHEN {text} IS NULL{words} THEN {decimal(value)}"


def _polynomial(u: str, coefficients: tuple[float, ...]) -> str:
    *_, polynomial = accumulate(
        map(decimal, coefficients), lambda head, c: f"({head} * {u} + {c})"
    )
    return polynomial


def decimal(value: float) -> str:
    """Return the shortest decimal of a double, at most 17 digits.

    The exponent makes it a double where a plain decimal has a type of its own (DuckDB,
    BigQuery).

    Examples
    --------
    >>> decimal(0.1), decimal(-2.0), decimal(1e-7)
    ('0.1e0', '(-2e0)', '1e-07')
    """
    digits = repr(value)
    if "e" not in digits:
        digits = f"{digits.removesuffix('.0')}e0"
    return f"({digits})" if value < 0.0 else digits


def below(expression: str, end: float) -> str:
    """Return the condition that a double is below an end, in the decimals that are shorter.

    Examples
    --------
    >>> below("x", 88.5), below("x", np.nextafter(88.0, 89.0))
    ('x < 88.5e0', 'x <= 88e0')
    """
    # The same doubles are below the end as are at most its neighbour.
    before = float(np.nextafter(end, -np.inf))
    if len(repr(before)) < len(repr(float(end))):
        return f"{expression} <= {decimal(before)}"
    return f"{expression} < {decimal(float(end))}"


def quoted_text(text: str) -> str:
    """Return text as a literal."""
    return "'" + text.replace("'", "''") + "'"


def quoted_name(name: str) -> str:
    """Return the name of a column or table as an identifier."""
    return '"' + name.replace('"', '""') + '"'
