"""Formulas evaluated term by term, row by row: the slow twin of every export."""

from __future__ import annotations

import numpy as np

from moselect.models.terms import Curve, Level, Missing, Number, Product


def is_missing(value):
    return value is None or value != value


def value_of(term, row):
    """Give the value of a term, or None if the row has none."""
    match term:
        case Number(name, fill):
            return fill if is_missing(row[name]) else float(row[name])
        case Missing(of):
            return float(is_missing(row[of.name]))
        case Level(name, values, otherwise, missing):
            return missing if is_missing(row[name]) else values.get(row[name], otherwise)
        case Product(left, right):
            a, b = value_of(left, row), value_of(right, row)
            return None if a is None or b is None else a * b
        case Curve(of, breaks, centres, coefficients):
            x = value_of(of, row)
            if x is None:
                return None
            piece = int(np.searchsorted(breaks, x, side="right"))
            return float(np.polyval(coefficients[piece], x - centres[piece]))


def score_of(formula, row):
    total = 0.0
    for term, weight in zip(formula.terms, formula.weights, strict=True):
        value = value_of(term, row)
        if value is None:
            return None
        total = total + weight * value
    bits = np.float64(total).view(np.int64) & ~np.int64((1 << formula.bits_dropped) - 1)
    return float(bits.view(np.float64)) + 0.0


def class_of(formula, row):
    score = score_of(formula, row)
    if score is None:
        return None
    return formula.classes[int(np.searchsorted(formula.thresholds, score, side="left"))]
