"""Terms as expressions of SQL that SQLite, PostgreSQL and DuckDB compute alike.

Constants are the shortest decimals that are read as the same double. Databases that read
some of 17 digits to the last bit but one (SQLite on some machines) give scores that agree to
14 digits.
"""

import re
from calendar import month_abbr, month_name
from collections.abc import Iterator
from functools import reduce
from itertools import product

import numpy as np

from moselect.labels.labels import BLANKS
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
)
from moselect.tables.cells import ISO, SECONDS_OF

# SQLite takes text that is no number for 0, which would go unnoticed; DuckDB ends the
# query.
NUMERIC = "' +-.0123456789eE'"
DIGITS = "'0123456789'"
# Patterns of text of these characters that is no number
NO_NUMBERS = "e% +e% -e% %.e% %e%e% %e%.% %e____% _%+% _%-% %.%.%"
TRUE = "('true', '1', '1.0')"
FALSE = "('false', '0', '0.0')"
# Times without a time zone, or in UTC.
TIMES = ("", "___:__", "___:__:__", "___:__Z", "___:__:__Z")
FOURTHS = tuple(f"{year:02}" for year in range(0, 100, 4))


# With exponents up to 199 no number is too large for a double, or too small.
MAX_DIGITS = 99


class Inputs:
    """Terms as SQL; the text of cells, and then the terms of columns, are computed once, before."""

    def __init__(self) -> None:
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
        return "x." + self.names.setdefault(self._leaf(term), f"x{len(self.names)}")

    def _text(self, expression: str) -> str:
        return "x." + self.texts.setdefault(expression, f"x_text{len(self.texts)}")

    def _leaf(self, term: Leaf) -> str:
        """Return the value of a term of one column."""
        column = "t." + quoted(term.name, '"')
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
                    levels.setdefault(value, []).append(quoted(level))
                whens = "".join(
                    f" WHEN {text} IN ({', '.join(texts)}) THEN {decimal(value)}"
                    for value, texts in levels.items()
                )
                return (
                    f"CASE{_gaps(text, (), missing)}{whens} ELSE {decimal(otherwise)} END"
                )
            case Number(content_type="number"):
                is_grouped = ""
                if term.unit:
                    amount = f"TRIM(REPLACE({cell}, {quoted(term.unit)}, ''))"
                    is_grouped = f"({_is_grouped(amount)}) AND "
                    cell = column = f"REPLACE({amount}, ',', '')"
                number = f"CAST({column} AS DOUBLE PRECISION)"
                case = f" WHEN {is_grouped}{self._is_number(cell)} THEN {number}"
            case Number(content_type="boolean"):
                text = self._text(present)
                case = f" WHEN LOWER({text}) IN {TRUE} THEN 1 WHEN LOWER({text}) IN {FALSE} THEN 0"
            case Number():
                case = _time_case(self._text(present), SECONDS_OF[term.content_type])
            case DatePart():
                iso = self._text(_iso_text(present, term.date_format))
                case = _date_case(iso, term.part)
        if term.fill is not None:
            case = f"{_gaps(self._text(present), term.gaps, term.fill)}{case}"
        return f"CASE{case} END"

    def _is_number(self, cell: str) -> str:
        """Return the condition that a cell of text is a number, without any other characters."""
        plain = f"REPLACE(REPLACE(LOWER(TRIM({cell}, ' ')), 'e+', 'f'), 'e-', 'f')"
        text = self._text(f"REPLACE({plain}, 'f', 'e')")
        patterns = NO_NUMBERS.split()
        unlike = "".join(f" AND {text} NOT LIKE '{pattern}'" for pattern in patterns)
        exponent = (
            f"{text} NOT LIKE '%e___' OR {text} LIKE '%e0__' OR {text} LIKE '%e1__'"
        )
        return (
            f"LTRIM({cell}, {NUMERIC}) = '' AND LENGTH({text}) BETWEEN 1 AND {MAX_DIGITS} "
            f"AND LTRIM(SUBSTR({text}, LENGTH({text}), 1), {DIGITS}) = '' "
            f"AND {text} NOT LIKE '% %' AND ({exponent}){unlike}"
        )


def _is_grouped(amount: str) -> str:
    """Return the condition that commas in an amount group its digits, as in 24,075.50."""
    return " OR ".join(
        [
            f"{amount} NOT LIKE '%,%'",
            *(f"{amount} LIKE '%,___{end}'" for end in ("", ".%")),
        ]
    )


MAX_DIGITS_OF_HOURS = 3


def _time_case(text: str, first_of_two: float) -> str:
    """Return the seconds of times of two or three parts; other spellings are missing in SQL."""
    whens = ""
    for hours in range(1, MAX_DIGITS_OF_HOURS + 1):
        for places, unit in (
            ((hours + 2,), first_of_two),
            ((hours + 2, hours + 5), SECONDS_OF["hours"]),
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


def _iso_text(text: str, date_format: str) -> str:
    """Convert text of a date in the format to ISO 8601; return other text unchanged."""
    if date_format == ISO:
        return text
    whens = "".join(
        f" WHEN LOWER({text}) LIKE '{pattern}' THEN {iso}"
        for pattern, iso in _spellings(text, date_format)
    )
    return f"CASE{whens} ELSE {text} END"


# Numbers of characters of parts of a date, whose leading zero may be omitted
WIDTHS = {"%Y": (4,), "%d": (2, 1), "%m": (2, 1), "%H": (2, 1)}
MONTHS = {"%b": month_abbr, "%B": month_name}


def _spellings(text: str, date_format: str) -> Iterator[tuple[str, str]]:
    """Yield each pattern of text in a date format, with the date in ISO 8601."""
    tokens, iso = (
        re.findall("%.|[^%]+", form)
        for form in (date_format, "%Y-%m-%d" + "".join(date_format.partition(" %H")[1:]))
    )
    forms = (
        range(1, 13) if part in MONTHS else WIDTHS.get(part, (2,)) for part in tokens
    )
    for form in product(*forms):
        pattern = ""
        parts = {"%d": "'01'"}
        for token, size in zip(tokens, form, strict=True):
            part = f"SUBSTR({text}, {len(pattern) + 1}, {size})"
            if token in MONTHS:
                pattern += MONTHS[token][size].lower()
                parts["%m"] = f"'{size:02}'"
            elif token[0] == "%":
                pattern += "_" * size
                parts[token] = f"'0' || {part}" if size == 1 else part
            else:
                pattern += token
        if "%y" in parts:  # POSIX: 1969 to 2068
            century = f"CASE WHEN {parts['%y']} < '69' THEN '20' ELSE '19' END"
            parts["%Y"] = f"{century} || {parts['%y']}"
        yield pattern, " || ".join(parts.get(token, f"'{token}'") for token in iso)


def _date_case(iso: str, part: str) -> str:
    """Return the case that text is a date of ISO 8601, which may be in UTC, and its part then."""

    def chars(first: int, n: int) -> str:
        return f"SUBSTR({iso}, {first}, {n})"

    forms = " OR ".join(f"{iso} LIKE '____-__-__{time}'" for time in TIMES)
    digits = " || ".join(
        chars(first, 4 if first == 1 else 2) for first in (1, 6, 9, 12, 15, 18)
    )
    year = chars(1, 4)
    month = chars(6, 2)
    day = chars(9, 2)
    century = chars(1, 2)
    in_century = chars(3, 2)
    leap = (
        f"CASE {in_century} WHEN '00' THEN {century} ELSE {in_century} END IN {FOURTHS}"
    )
    last = (
        f"CASE WHEN {month} IN ('04', '06', '09', '11') THEN '30' WHEN {month} <> '02' "
        f"THEN '31' WHEN {leap} THEN '29' ELSE '28' END"
    )
    return (
        f" WHEN ({forms}) AND {chars(11, 1)} IN ('', ' ', 'T') "
        f"AND {chars(17, 1)} IN ('', ':', 'Z') AND {chars(20, 1)} IN ('', 'Z') "
        f"AND LTRIM({digits}, {DIGITS}) = '' AND {year} <> '0000' "
        f"AND {month} BETWEEN '01' AND '12' AND {day} BETWEEN '01' AND {last} "
        f"AND {chars(12, 2)} <= '23' AND {chars(15, 2)} <= '59' "
        f"AND {chars(18, 2)} <= '59' THEN {_date_part(iso, part)}"
    )


# Days from 0000-03-01 to 1970-01-01.
DAYS_TO_EPOCH = 719468


def _date_part(iso: str, part: str) -> str:
    """Return a part of an ISO date.

    The year begins in March, so that leap days are the last of their year.
    """

    def digits(first: int, n: int) -> str:
        return f"CAST(COALESCE(NULLIF(SUBSTR({iso}, {first}, {n}), ''), '0') AS INTEGER)"

    month = digits(6, 2)
    seconds = f"({digits(12, 2)} * 3600 + {digits(15, 2)} * 60 + {digits(18, 2)})"
    if part == "month":
        return month
    if part == "hour":
        return f"{seconds} / CAST(3600 AS DOUBLE PRECISION)"
    year = f"({digits(1, 4)} - CASE WHEN {month} < 3 THEN 1 ELSE 0 END)"
    leaps = " ".join(
        f"{sign} ({year} - {year} % {n}) / {n}"
        for sign, n in zip("+-+", (4, 100, 400), strict=True)
    )
    # Days before a month, counted from March: (153 month + 2) / 5, rounded down.
    fifths = f"(({month} + 9) % 12 * 153 + 2)"
    before = f"({fifths} - {fifths} % 5) / 5"
    days = f"(365 * {year} {leaps} + {before} + {digits(9, 2)} - 1)"
    if part == "weekday":
        return f"(({days} + 2) % 7 + 1)"
    return f"(({days} - {DAYS_TO_EPOCH}) * CAST(86400 AS DOUBLE PRECISION) + {seconds})"


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
    words = f" OR LOWER({text}) IN ({', '.join(map(quoted, gaps))})" if gaps else ""
    return f" WHEN {text} IS NULL{words} THEN {decimal(value)}"


def _polynomial(u: str, coefficients: tuple[float, ...]) -> str:
    return reduce(lambda head, c: f"({head} * {u} + {c})", map(decimal, coefficients))


def decimal(value: float) -> str:
    """Return the shortest decimal of a double, at most 17 digits.

    The exponent makes it a double where a plain decimal has a type of its own (DuckDB).

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


def quoted(text: str, mark: str = "'") -> str:
    """Return text as a literal, or with double quotes the name of a column or table."""
    return mark + text.replace(mark, 2 * mark) + mark
