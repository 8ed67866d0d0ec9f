"""Spline columns as formulas: each operation is the same on doubles, in the same order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from moselect._types import Floats
from moselect.models.additive.spline_pieces import spline_pieces
from moselect.models.terms import Curve, Product, Standardised, Term

if TYPE_CHECKING:
    from moselect.models.additive.spline_columns import SplineColumns


def spline_terms(
    columns: SplineColumns, features: tuple[Term, ...], furthest: float
) -> tuple[Term, ...]:
    """Return a term for each column, of the terms of the features."""
    raw: list[Term] = []
    for feature, knots in zip(features, columns.knots_, strict=True):
        raw.append(feature)
        if len(knots):
            raw += _basis(feature, knots)
    clipped = [
        _clipped(Standardised(feature, centre, scale), furthest)
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


def _basis(feature: Term, knots: Floats) -> list[Term]:
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


def _clipped(term: Term, furthest: float) -> Curve:
    ends = (-furthest, furthest)
    return Curve(term, ends, (0.0, 0.0, 0.0), ((0.0, -furthest), (1.0, 0.0), (0.0, furthest)))
