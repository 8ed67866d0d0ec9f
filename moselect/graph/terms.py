"""Terms of a row's columns as operators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from moselect.graph.graph import TREES, Graph
from moselect.models.terms import (
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
Known = dict[str, str]  # results (n, 1) of terms that are worked out already


def columns_of(
    graph: Graph, terms: Sequence[Term | Pair], known: Known | None = None
) -> str:
    """Return a column for each term, (n, p).

    ``known`` are columns by name that stand for `Number` of no table.
    """
    found: Known = {} if known is None else dict(known)
    return graph.beside([_column(graph, term, found) for term in terms])


def _column(graph: Graph, term: Term | Pair, known: Known) -> str:
    key = term.name if isinstance(term, Number) and term.name in known else repr(term)
    if key not in known:
        known[key] = _new_column(graph, term, known)
    return known[key]


def _new_column(graph: Graph, term: Term | Pair, known: Known) -> str:
    add = graph.add
    match term:
        case Number() | Truth() | Time():
            return _filled(graph, term, _number(graph, term, known), term.fill)
        case DatePart():
            return _filled(graph, term, _date_part(graph, term, known), term.fill)
        case Missing(of):
            return graph.cast(add("IsNaN", _number(graph, of, known)), "double")
        case Level(name, values, otherwise, missing):
            text = graph.read(name, Level)
            return _level(graph, text, {"": missing, **values}, otherwise)
        case Pair(first, second, beside, values, otherwise):
            left, right = (graph.read(name, Level) for name in (first, second))
            both = add(
                "StringConcat", add("StringConcat", left, np.array([[beside]])), right
            )
            return _level(graph, both, values, otherwise)
        case DaysBetween(start, end, fill):
            seconds = add("Sub", *(_number(graph, date, known) for date in (end, start)))
            days = add("Div", seconds, DAY)
            return add("Where", add("IsNaN", days), fill, days)
        case Standardised(of, centre, scale):
            return add("Div", add("Sub", _column(graph, of, known), centre), scale)
        case Curve(of, breaks, centres, coefficients):
            return _curve(graph, _column(graph, of, known), breaks, centres, coefficients)
        case Product(left, right):
            return add("Mul", _column(graph, left, known), _column(graph, right, known))


def _number(graph: Graph, term: Number | Truth | Time | DatePart, known: Known) -> str:
    """Return the cells as they are given; rows with an infinite one have no class."""
    key = f"cells of {term.name}"
    if key not in known:
        known[key] = graph.read(term.name, type(term))
        graph.unusable.append(graph.add("IsInf", known[key]))
    return known[key]


def _filled(
    graph: Graph, term: Number | Truth | Time | DatePart, cells: str, fill: float | None
) -> str:
    missing = graph.add("IsNaN", cells)
    if fill is None:
        graph.unusable.append(missing)
        return cells
    return graph.add("Where", missing, fill, cells)


def _level(graph: Graph, text: str, values: Mapping[str, float], otherwise: float) -> str:
    """Return the number of each level."""
    places = graph.add(
        "LabelEncoder",
        text,
        domain=TREES,
        keys_strings=list(values),
        values_int64s=list(range(len(values))),
        default_int64=len(values),
    )
    return graph.add(
        "Gather", np.array([*values.values(), otherwise], dtype=np.float64), places
    )


def _date_part(graph: Graph, term: DatePart, known: Known) -> str:
    add, seconds = graph.add, _number(graph, term, known)
    if term.part == "seconds":
        return seconds
    days = add("Floor", add("Div", seconds, DAY))
    if term.part == "hour":
        return add("Div", add("Sub", seconds, add("Mul", days, DAY)), 3600.0)
    if term.part == "weekday":  # 1970-01-01 was a Thursday
        return add(
            "Add",
            add("Sub", add("Add", days, 3.0), _multiple(graph, days, 3.0, 7.0)),
            1.0,
        )

    def whole(numerator: str, denominator: float) -> str:
        return add("Floor", add("Div", numerator, denominator))

    # Days of years that begin in March, 400 of which have 146,097 days.
    shifted = add("Add", days, 719_468.0)
    day = add("Sub", shifted, add("Mul", whole(shifted, 146_097.0), 146_097.0))
    leaps = add("Add", add("Sub", day, whole(day, 1_460.0)), whole(day, 36_524.0))
    year = whole(add("Sub", leaps, whole(day, 146_096.0)), 365.0)
    before = add("Add", add("Mul", year, 365.0), whole(year, 4.0))
    of_year = add("Sub", day, add("Sub", before, whole(year, 100.0)))
    march = whole(add("Add", add("Mul", of_year, 5.0), 2.0), 153.0)
    return add("Add", march, add("Where", add("Less", march, 10.0), 3.0, -9.0))


def _multiple(graph: Graph, values: str, shift: float, of: float) -> str:
    """Return the greatest multiples of a number at or below shifted values."""
    parts = graph.add("Floor", graph.add("Div", graph.add("Add", values, shift), of))
    return graph.add("Mul", parts, of)


def _curve(
    graph: Graph,
    x: str,
    breaks: Sequence[float],
    centres: Sequence[float],
    coefficients: Sequence[Sequence[float]],
) -> str:
    add, piece = graph.add, graph.count_below(x, breaks, equal=True)
    first, *others = np.array(coefficients, dtype=np.float64).T
    total = add("Gather", first, piece)
    u = add("Sub", x, add("Gather", np.array(centres, dtype=np.float64), piece))
    for column in others:
        total = add("Add", add("Mul", total, u), add("Gather", column, piece))
    return total
