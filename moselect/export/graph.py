"""A model as a graph of operators, from a table's cells to labels and probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from moselect._kernels import code_bits
from moselect._types import Array, Floats, Labels, Table
from moselect.operators.graph import Graph, Result, concatenated, proportional_odds
from moselect.predictor.decisions import LeastCost, Thresholds
from moselect.predictor.model import Model
from moselect.predictor.scorers import WeightedSum
from moselect.preprocessing.terms import (
    SECONDS_OF_DAY,
    Curve,
    DatePart,
    DaysBetween,
    Level,
    Missing,
    Number,
    Numeric,
    Pair,
    Product,
    Standardised,
    TableTerms,
    Term,
    leaves,
)
from moselect.tables.cells import as_frame, codes_among

Known = dict[str, Result]  # (n, 1), results of terms already converted


def graph_of(model: Model) -> Graph:
    """Convert a model to a graph.

    The outputs are ``"label"`` (n, 1) as text; ``"score"`` (n, 1); ``"probabilities"``
    (n, r), where the model has some; and ``"columns"`` (n, p), the terms of a linear score.

    Parameters
    ----------
    model : Model
        The model.

    Raises
    ------
    ValueError
        If the model has text features or a classifier of another package.

    Examples
    --------
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([2.0], [1.0], ["low", "high"], ["rooms"])
    >>> sorted(graph_of(model).outputs)
    ['columns', 'label', 'score']
    """
    if model.row_costs is not None:
        raise ValueError(
            "decisions by the costs of each row, or by limits in groups, have no ONNX form"
        )
    graph = Graph()
    X = columns_of(graph, model.terms)
    proba = None
    answers = model.answers
    if not isinstance(model.scorer, WeightedSum):
        assert isinstance(model.decision, LeastCost)
        proba = model.scorer.operators(X)
        r = len(model.classes_)
        costs = model.decision.costs
        # The score is the expected rank 1 .. r, the decision of least expected cost.
        score = proba @ np.arange(1.0, r + 1.0)[:, None]
        losses = -np.eye(r) if costs is None else costs
        code = (proba @ losses).apply("ArgMin", axis=1, keepdims=1)
    else:
        calibration = model.calibration
        score = X @ model.coef_[:, None]
        thresholds, answers = decisions_by_score(model)
        code = score.count_below(thresholds, equal=True)
        if calibration is not None:
            proba = proportional_odds(score * calibration.slope, calibration.intercepts)
    if proba is not None and model.reference is not None and model.reference.ratios:
        joint = proba * np.array(model.reference.ratios)
        proba = joint / joint.total()
    label = graph.add("Gather", np.array(list(map(str, answers))), code)
    outputs = {"columns": X, "score": score, "probabilities": proba, "label": label}
    graph.outputs |= {name: result.name for name, result in outputs.items() if result}
    return graph


def decisions_by_score(model: Model) -> tuple[Floats, Labels]:
    """Return exact thresholds (m - 1,) of a score, and the labels (m,) between them.

    Labels are the classes, lowest first, with the label of the reject option between them
    where it is in use. Exact thresholds are the smallest doubles above the thresholds of
    the model once their last bits are dropped, as scores drop theirs.
    """
    assert isinstance(model.decision, Thresholds)
    thresholds, codes = model.decision.breakpoints
    mask = (1 << code_bits(len(model.classes_))) - 1
    # Doubles of one sign are ordered as the integers of the same bits.
    size = np.abs(thresholds).view(np.int64)
    above = ((size | mask) + 1).view(np.float64)
    below = -((size - 1) | mask).view(np.float64)
    return np.where(thresholds >= 0.0, above, below), model.answers[codes]


def inputs_of(model: Model, table: Table) -> dict[str, Array]:
    """Convert a table to the inputs of a graph.

    Cells that cannot be parsed (text in a numeric column) become infinite, and the row
    has no class.

    Examples
    --------
    >>> import pandas as pd
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([2.0], [1.0], ["low", "high"], ["rooms"])
    >>> inputs_of(model, pd.DataFrame({"rooms": ["5", "many"]}))
    {'rooms': array([[ 5.],
           [inf]])}
    """
    cells = TableTerms(as_frame(table))
    inputs = dict[str, Array]()
    for name, leaf in cells_of(model).items():
        if isinstance(leaf, Level):
            inputs[name] = cells.texts(name)[:, None]
            continue
        if isinstance(leaf, DatePart):
            leaf = replace(leaf, part="seconds")
        numbers = cells.numbers(leaf)
        _, unreadable = cells.gaps(name)
        inputs[name] = np.where(unreadable, np.inf, numbers)[:, None]
    return inputs


def cells_of(model: Model) -> dict[str, Numeric | Level]:
    """Map each input column, in the order of the graph, to its elementary term."""
    terms = dict[str, Numeric | Level]()
    for term in model.terms:
        for leaf in leaves(term):
            terms.setdefault(leaf.name, leaf.term if isinstance(leaf, Missing) else leaf)
    return terms


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
        case Number():
            return _filled(_number(graph, term, known), term.fill)
        case DatePart(part=part, fill=fill):
            return _filled(_date_part(_number(graph, term, known), part), fill)
        case Missing(leaf):
            return _number(graph, leaf, known).apply("IsNaN").cast("double")
        case Level(name, values, otherwise, missing):
            text = graph.read(name, "levels")
            return _level(text, {"": missing, **values}, otherwise)
        case Pair(first, second, between, values, otherwise):
            text = graph.read(first, "levels").apply(
                "StringConcat", np.array([[between]])
            )
            text = text.apply("StringConcat", graph.read(second, "levels"))
            return _level(text, values, otherwise)
        case DaysBetween(start, end, fill):
            until, since = (_number(graph, date, known) for date in (end, start))
            days = (until - since) / SECONDS_OF_DAY
            return days.apply("IsNaN").apply("Where", fill, days)
        case Standardised(inner, centre, scale):
            return (_column(graph, inner, known) - centre) / scale
        case Curve(inner):
            return _curve(_column(graph, inner, known), term)
        case Product(left, right):
            return _column(graph, left, known) * _column(graph, right, known)


def _number(graph: Graph, term: Numeric, known: Known) -> Result:
    """Read the cells of a column; rows with an infinite cell have no class."""
    key = f"cells of {term.name}"
    if key not in known:
        known[key] = graph.read(term.name, term.content_type)
        graph.unusable.append(known[key].apply("IsInf").name)
        for code in codes_among(term.gaps):
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
        keys_strings=list(values),
        values_int64s=list(range(len(values))),
        default_int64=len(values),
    )
    numbers = np.array([*values.values(), otherwise], float)
    return text.graph.add("Gather", numbers, places)


def _date_part(seconds: Result, part: str) -> Result:
    if part == "seconds":
        return seconds
    days = _quotient(seconds, SECONDS_OF_DAY)
    if part == "hour":
        return (seconds - days * SECONDS_OF_DAY) / 3600.0
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
        return x.graph.add("Gather", np.array(values, float), piece)

    first, *others = np.array(curve.coefficients).T
    total = of_piece(first)
    u = x - of_piece(curve.centres)
    for column in others:
        total = total * u + of_piece(column)
    return total
