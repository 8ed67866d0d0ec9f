"""The terms that models weigh: single columns, or the columns that make a curve together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect._types import Floats
from moselect.columns.steps import steps_of
from moselect.features import feature_matrix
from moselect.front import Front
from moselect.models import SplineColumns

N_POINTS = 25  # along a curve
BEYOND = 2.0  # standard deviations, where a feature that has no curve ends


def find_terms(front: Front, X: ArrayLike | pd.DataFrame | None = None) -> list[dict[str, Any]]:
    """Return the terms of a front's models as plain values, for the page.

    Parameters
    ----------
    front : Front
        The models.
    X : array-like of shape (n, p), optional
        The columns that they weigh, of the rows of the search.

    Returns
    -------
    list of dict
        ``features``, the names of one, or of two whose product it is; ``start`` and ``size``, its
        columns; ``covariance`` of these over the rows, size x size numbers, from which the spread
        of a term follows for any weights, or, without X, the unit matrix; and for curves ``at``,
        values of the feature, and ``curve``, the columns there, one row a value, else None.
    """
    p = front.weights.shape[1]
    values = None if X is None else feature_matrix(X, front.feature_names, p)
    *_, last = steps_of(front.columns) or [None]
    if not hasattr(last, "get_term_names"):
        features = front.feature_names or [f"x{j}" for j in range(p)]
        return [_term([name], np.array([j]), values) for j, name in enumerate(features)]
    found = []
    names, n_curves = last.get_term_names(), len(last.knots_)
    for term in range(len(names)):
        own = np.flatnonzero(last.terms_ == term)
        if term < n_curves:
            found.append(_term([names[term]], own, values) | _curve(last, term, own))
        else:
            found.append(_term(names[last.pairs_[term - n_curves]], own, values))
    return found


def _term(
    features: Iterable[object], own: NDArray[np.int64], values: Floats | None
) -> dict[str, Any]:
    size = len(own)
    covariance = np.eye(size)
    if values is not None:
        centred = values[:, own] - values[:, own].mean(axis=0)
        covariance = centred.T @ centred / len(values)
    return {
        "features": [str(name) for name in features],
        "start": int(own[0]),
        "size": size,
        "covariance": covariance.ravel().tolist(),
        "at": None,
        "curve": None,
    }


def _curve(columns: SplineColumns, feature: int, own: NDArray[np.int64]) -> dict[str, Any]:
    """Return the columns of a feature over its values, those of the others at their means."""
    knots = columns.knots_[feature]
    middle, reach = columns.centre_[feature], BEYOND * columns.scale_[feature]
    low, high = (knots[0], knots[-1]) if len(knots) else (middle - reach, middle + reach)
    rows = np.tile(columns.centre_, (N_POINTS, 1))
    rows[:, feature] = np.linspace(low, high, N_POINTS)
    return {
        "at": rows[:, feature].tolist(),
        "curve": columns.columns_of(rows)[:, own].ravel().tolist(),
    }
