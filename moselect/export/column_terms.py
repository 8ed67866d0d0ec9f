"""From what prepares a table for a model to terms of the table's columns.

Each operation of `moselect.columns` is written as the same operation on doubles, in the same order,
so that a term has the value of its column to the last bit.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from sklearn.pipeline import Pipeline

from moselect.columns import (
    GAPS,
    DateColumns,
    EncodedColumn,
    LevelColumns,
    NumberColumn,
    Preparation,
    PreparedColumn,
)
from moselect.export.terms import (
    Curve,
    Level,
    Missing,
    Number,
    Product,
    Standardised,
    Term,
    Truth,
)
from moselect.models import SplineColumns
from moselect.models.additive.spline_columns import FURTHEST
from moselect.models.additive.spline_pieces import spline_pieces

WORDS = tuple(sorted(GAPS - {""}))  # of missing values; empty text is one anyway
ELSEWHERE = "so the model cannot be written down: moselect predict applies it"


def column_terms(columns: Pipeline) -> tuple[Term, ...]:
    """Return a term for each column that a fitted transformer makes, in order.

    Raises
    ------
    ValueError
        If a step has no formula: models as columns, dates, durations.
    """
    terms: tuple[Term, ...] | None = None
    for _, step in columns.steps:
        if isinstance(step, Preparation) and terms is None:
            terms = tuple(term for column in step.columns_ for term in _prepared(column))
        elif isinstance(step, SplineColumns):
            if terms is None:
                names = getattr(step, "feature_names_in_", None)
                names = [f"x{j}" for j in range(step.n_features_in_)] if names is None else names
                terms = tuple(Number(str(name)) for name in names)
            terms = _splines(step, terms)
        else:
            raise ValueError(f"columns of {type(step).__name__} have no formula, {ELSEWHERE}")
    return terms or ()


def _prepared(column: PreparedColumn) -> list[Term]:
    """Return the terms of one column of a `Preparation`."""
    match column:
        case NumberColumn(name=name, written="number", fill=fill):
            terms: list[Term] = [Number(name, fill, WORDS)]
        case NumberColumn(name=name, written="boolean", fill=fill):
            terms = [Truth(name, fill, WORDS)]
        case NumberColumn(name=name):
            raise ValueError(f"column {name!r} holds durations, {ELSEWHERE}")
        case DateColumns(name=name):
            raise ValueError(f"column {name!r} holds dates, {ELSEWHERE}")
        case EncodedColumn(name=name):
            return [Level(name, column.known, column.unknown, column.missing)]
        case LevelColumns():
            known = column.known
            return [_indicator(column, known, index) for index in range(len(column.columns))]
    return [*terms, Missing(name, WORDS)] if column.indicator else terms


def _indicator(column: LevelColumns, known: Mapping[str, int], index: int) -> Level:
    otherwise = float(column.unknown == index)
    marks = {level: float(at == index) for level, at in known.items()}
    marks = {level: mark for level, mark in marks.items() if mark != otherwise}
    return Level(column.name, marks, otherwise, float(column.missing == index))


def _splines(columns: SplineColumns, features: tuple[Term, ...]) -> tuple[Term, ...]:
    """Return the terms of `SplineColumns` of some features."""
    raw: list[Term] = []
    for feature, knots in zip(features, columns.knots_, strict=True):
        raw.append(feature)
        if len(knots):
            raw += _basis(feature, knots)
    clipped = [
        _clipped(Standardised(feature, centre, scale))
        for feature, centre, scale in zip(
            features, columns.centre_.tolist(), columns.scale_.tolist(), strict=True
        )
    ]
    raw += [Product(clipped[i], clipped[j]) for i, j in columns.pairs_.tolist()]
    return tuple(
        Standardised(term, centre, scale)
        for term, centre, scale in zip(
            raw, columns.column_centre_.tolist(), columns.column_scale_.tolist(), strict=True
        )
    )


def _basis(feature: Term, knots: np.ndarray) -> list[Term]:
    breaks, centres, coefficients = spline_pieces(knots)
    return [
        Curve(
            feature,
            tuple(breaks.tolist()),
            tuple(centres.tolist()),
            tuple(map(tuple, one.T.tolist())),
        )
        for one in np.moveaxis(coefficients, 2, 0)
    ]


def _clipped(term: Term) -> Curve:
    ends = (-FURTHEST, FURTHEST)
    return Curve(term, ends, (0.0, 0.0, 0.0), ((0.0, -FURTHEST), (1.0, 0.0), (0.0, FURTHEST)))
