"""A model as a Python module that needs the standard library only."""

from __future__ import annotations

from moselect.columns.cells import CLOCK, ISO_DATE, NUMBER
from moselect.graph.formula import Formula
from moselect.labels import BLANKS
from moselect.listing import in_one_line
from moselect.models.terms import (
    Curve,
    DatePart,
    DaysBetween,
    Level,
    Missing,
    Number,
    Product,
    Standardised,
    Term,
    Time,
    Truth,
)

MODULE = '''\
"""Score and class of a row, as moselect's predict gives them to the last bit."""

# Predicts: {target}

import datetime
import math
import re
import struct

CLASSES = {classes}  # lowest first
THRESHOLDS = {thresholds}
BLANKS = {blanks}  # around a cell, which do not count
NUMBER = re.compile({number})
ISO_DATE = re.compile({iso_date})
CLOCK = re.compile({clock})


def score(row):
    """Return the score of a row, a mapping from column names to values.

    ValueError is raised for a number that is missing, no number, or infinite, and for a score that
    is too large; KeyError for a column that is not there.
    """
    total = 0.0
{terms}
    if not math.isfinite(total):
        raise ValueError("the score is too large for a floating-point number")
    # The last {bits} bits are dropped, so that scores that differ by rounding alone are equal.
    bits = int.from_bytes(struct.pack(">d", total), "big")
    bits &= ~{mask}
    return struct.unpack(">d", bits.to_bytes(8, "big"))[0] + 0.0


def predict(row):
    """Return the class of a row: the number of thresholds below its score, counted from 0."""
    found = score(row)
    return CLASSES[sum(threshold < found for threshold in THRESHOLDS)]


def _is_missing(value, gaps=()):
    if value is None or value != value:
        return True
    return isinstance(value, str) and value.strip(BLANKS).lower() in ("", *gaps)


def _number(row, name, fill=None, gaps=()):
    value = row[name]
    if fill is not None and _is_missing(value, gaps):
        return fill
    no_number = value is True or value is False
    if isinstance(value, str):
        no_number = not NUMBER.fullmatch(value.strip(BLANKS))
    try:
        number = math.nan if no_number else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"column {{name!r}} is {{value!r}}, not a finite number")
    return number


def _truth(row, name, fill, gaps):
    value = row[name]
    if _is_missing(value, gaps):
        return fill
    text = str(value).strip(BLANKS).lower()
    if text not in ("true", "false", "1", "0", "1.0", "0.0"):
        raise ValueError(f"column {{name!r}} is {{value!r}}, neither true nor false")
    return float(text in ("true", "1", "1.0"))


def _time(row, name, first_of_two, fill, gaps):
    value = row[name]
    if _is_missing(value, gaps):
        return fill
    text = str(value).strip(BLANKS).lower()
    clock = CLOCK.fullmatch(text)
    if clock:
        days, first, second, third, half = clock.groups()
        hours, days = int(first), int(days or 0) * 86400.0
        if third is None and half is None:
            return days + (hours * first_of_two + int(second) * (first_of_two / 60.0))
        if half is None or 1 <= hours <= 12:
            if half:
                hours = hours % 12 + (12 if half == "p" else 0)
            return days + (hours * 3600.0 + int(second) * 60.0 + float(third or 0))
    raise ValueError(f"column {{name!r}} is {{value!r}}, not a time")


def _date_part(row, name, part, date_format, fill, gaps):
    value = row[name]
    if _is_missing(value, gaps):
        return fill
    text = str(value).strip(BLANKS)
    try:
        if ISO_DATE.fullmatch(text):
            date = datetime.datetime.fromisoformat(text)
        else:  # no text has the format "ISO8601" but that word
            date = datetime.datetime.strptime(text.replace("ISO8601", "?"), date_format)
    except ValueError:
        raise ValueError(f"column {{name!r}} is {{value!r}}, not a date") from None
    if date.tzinfo:
        date = date.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    if part == "seconds":
        return (date - datetime.datetime(1970, 1, 1)).total_seconds()
    seconds = date.hour * 3600 + date.minute * 60 + date.second + date.microsecond / 1e6
    parts = {{"month": date.month, "weekday": date.isoweekday(), "hour": seconds / 3600}}
    return float(parts[part])


def _days_between(start, end, is_missing, fill):
    return fill if is_missing else (end - start) / 86400


def _level(value, values, otherwise, missing):
    if _is_missing(value):
        return missing
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return values.get(str(value).strip(BLANKS), otherwise)


def _curve(x, breaks, centres, coefficients):
    piece = sum(end <= x for end in breaks)
    u = x - centres[piece]
    total, *others = coefficients[piece]
    for coefficient in others:
        total = total * u + coefficient
    return total
'''


def python_of(formula: Formula, target: str = "an ordinal class") -> str:
    """Return a module with functions ``score(row)`` and ``predict(row)``.

    Parameters
    ----------
    formula : Formula
        The model.
    target : str
        What is predicted, for a comment.

    Examples
    --------
    >>> from moselect.models import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0, 2.0], [0.5, 3.0], ["low", "mid", "high"], ["a", "b"])
    >>> from moselect.export import formula_of
    >>> module = {}
    >>> exec(python_of(formula_of(model)), module)
    >>> module["predict"]({"a": 2.0, "b": 1.0})
    'high'
    """
    terms = (
        f"    total += {weight!r} * {_term(term)}"
        for term, weight in zip(formula.terms, formula.weights, strict=True)
    )
    return MODULE.format(
        target=in_one_line(target),
        classes=ascii(formula.classes),
        thresholds=formula.thresholds,
        blanks=ascii(BLANKS),
        number=ascii(NUMBER.pattern),
        iso_date=ascii(ISO_DATE.pattern),
        clock=ascii(CLOCK.pattern),
        terms="\n".join(terms),
        bits=formula.bits_dropped,
        mask=(1 << formula.bits_dropped) - 1,
    )


def _term(term: Term) -> str:
    match term:
        case Number(name, None):
            return f"_number(row, {name!a})"
        case Number(name, fill, gaps):
            return f"_number(row, {name!a}, {fill!r}{_gaps(gaps)})"
        case Truth(name, fill, gaps):
            return f"_truth(row, {name!a}, {fill!r}, {gaps!a})"
        case Time(name, first_of_two, fill, gaps):
            return f"_time(row, {name!a}, {first_of_two!r}, {fill!r}, {gaps!a})"
        case DatePart(name):
            values = (term.part, term.date_format, term.fill, term.gaps)
            return f"_date_part(row, {name!a}, {', '.join(map(ascii, values))})"
        case Missing(leaf):
            is_missing = f"_is_missing(row[{leaf.name!a}]{_gaps(leaf.gaps)})"
            return f"({is_missing} or 0 * {_term(leaf)})"
        case Level(name, values, otherwise, missing):
            return f"_level(row[{name!a}], {dict(values)!a}, {otherwise!r}, {missing!r})"
        case DaysBetween(start, end, fill):
            gap = " or ".join(_term(Missing(date)) for date in (start, end))
            return f"_days_between({_term(start)}, {_term(end)}, {gap}, {fill!r})"
        case Standardised(inner, centre, scale):
            return f"(({_term(inner)} - {centre!r}) / {scale!r})"
        case Curve(inner, breaks, centres, coefficients):
            return f"_curve({_term(inner)}, {breaks!r}, {centres!r}, {coefficients!r})"
        case Product(left, right):
            return f"({_term(left)} * {_term(right)})"


def _gaps(gaps: tuple[str, ...]) -> str:
    return f", {gaps!a}" if gaps else ""
