"""Conversion of terms to operators."""

from collections.abc import Mapping, Sequence

import numpy as np

from moselect._types import Floats
from moselect.operators.graph import TREES, Graph, Result, concatenated
from moselect.preprocessing.cells import codes_among
from moselect.preprocessing.terms import (
    Curve,
    DatePart,
    DaysBetween,
    Level,
    Missing,
    Number,
    Pair,
    Product,
    Standardised,
    Term,
    Time,
    Truth,
)

DAY = 86_400.0
Known = dict[str, Result]  # (n, 1), results of terms already converted
Cells = Number | Truth | Time | DatePart


def columns_of(graph: Graph, terms: Sequence[Term | Pair]) -> Result:
    """Convert each term to a column, (n, p)."""
    known: Known = {}
    return concatenated([_column(graph, term, known) for term in terms])


def _column(graph: Graph, term: Term | Pair, known: Known) -> Result:
    key = repr(term)
    if key not in known:
        known[key] = _new_column(graph, term, known)
    return known[key]


def _new_column(graph: Graph, term: Term | Pair, known: Known) -> Result:
    match term:
        case Number() | Truth() | Time():
            return _filled(_number(graph, term, known), term.fill)
        case DatePart(part=part, fill=fill):
            return _filled(_date_part(_number(graph, term, known), part), fill)
        case Missing(leaf):
            return _number(graph, leaf, known).apply("IsNaN").cast("double")
        case Level(name, values, otherwise, missing):
            text = graph.read(name, "Level")
            return _level(text, {"": missing, **values}, otherwise)
        case Pair(first, second, between, values, otherwise):
            text = graph.read(first, "Level").apply("StringConcat", np.array([[between]]))
            text = text.apply("StringConcat", graph.read(second, "Level"))
            return _level(text, values, otherwise)
        case DaysBetween(start, end, fill):
            until, since = (_number(graph, date, known) for date in (end, start))
            days = (until - since) / DAY
            return days.apply("IsNaN").apply("Where", fill, days)
        case Standardised(inner, centre, scale):
            return (_column(graph, inner, known) - centre) / scale
        case Curve(inner):
            return _curve(_column(graph, inner, known), term)
        case Product(left, right):
            return _column(graph, left, known) * _column(graph, right, known)


def _number(graph: Graph, term: Cells, known: Known) -> Result:
    """Read the cells of a column; rows with an infinite cell have no class."""
    key = f"cells of {term.name}"
    if key not in known:
        known[key] = graph.read(term.name, type(term).__name__)
        graph.unusable.append(known[key].apply("IsInf").name)
        for code in codes_among(term.gaps) if isinstance(term, Number) else ():
            cells = known[key]
            above = cells.apply("Greater", code).apply("Where", cells, np.nan)
            known[key] = cells.apply("Less", code).apply("Where", cells, above)
    return known[key]


def _filled(cells: Result, fill: float | None) -> Result:
    missing = cells.apply("IsNaN")
    if fill is None:
        cells.graph.unusable.append(missing.name)
        return cells
    return missing.apply("Where", fill, cells)


def _level(text: Result, values: Mapping[str, float], otherwise: float) -> Result:
    """Map each level to its numeric value."""
    places = text.apply(
        "LabelEncoder",
        domain=TREES,
        keys_strings=list(values),
        values_int64s=list(range(len(values))),
        default_int64=len(values),
    )
    numbers = np.array([*values.values(), otherwise], dtype=np.float64)
    return text.graph.add("Gather", numbers, places)


def _date_part(seconds: Result, part: str) -> Result:
    if part == "seconds":
        return seconds
    days = _quotient(seconds, DAY)
    if part == "hour":
        return (seconds - days * DAY) / 3600.0
    if part == "weekday":  # 1970-01-01 was a Thursday
        return (days + 3.0) - _quotient(days + 3.0, 7.0) * 7.0 + 1.0
    # Days of years that begin in March; 400 such years have 146,097 days.
    shifted = days + 719_468.0
    day = shifted - _quotient(shifted, 146_097.0) * 146_097.0
    leaps = (day - _quotient(day, 1_460.0)) + _quotient(day, 36_524.0)
    year = _quotient(leaps - _quotient(day, 146_096.0), 365.0)
    before = year * 365.0 + _quotient(year, 4.0)
    day_of_year = day - (before - _quotient(year, 100.0))
    march = _quotient(day_of_year * 5.0 + 2.0, 153.0)
    return march + march.apply("Less", 10.0).apply("Where", 3.0, -9.0)


def _quotient(numerator: Result, denominator: float) -> Result:
    """Divide and round down."""
    return (numerator / denominator).apply("Floor")


def _curve(x: Result, curve: Curve) -> Result:
    piece = x.count_below(curve.breaks, equal=True)

    def of_piece(values: Sequence[float] | Floats) -> Result:
        return x.graph.add("Gather", np.array(values, dtype=np.float64), piece)

    first, *others = np.array(curve.coefficients).T
    total = of_piece(first)
    u = x - of_piece(curve.centres)
    for column in others:
        total = total * u + of_piece(column)
    return total
