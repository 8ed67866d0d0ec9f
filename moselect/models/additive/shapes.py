"""Shape functions and term contributions of additive models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._protocols import Table
from moselect._types import Floats
from moselect.models.additive.additive_odds import AdditiveOdds
from moselect.predictor.model import Model


@dataclass(frozen=True, eq=False)
class Curve:
    """Shape function of a feature: its contribution to the score.

    ``values`` are contributions ``at`` values of the feature, with mean 0 on the training
    data. ``counts`` are numbers of samples between ``edges``.
    """

    name: str
    importance: float  # mean absolute contribution, in units of the score (log-odds)
    at: Floats  # (m,)
    values: Floats
    edges: Floats  # (b + 1,)
    counts: Floats  # (b,)


@dataclass(frozen=True, eq=False)
class ProductMap:
    """Contribution of a product of two features; rows belong to the second feature."""

    name: str
    importance: float  # as in `Curve`
    first: str
    second: str
    at_first: Floats  # (m,)
    at_second: Floats
    values: Floats  # (m, m)


def contributions(model: AdditiveOdds | Model, X: ArrayLike) -> pd.DataFrame:
    """Compute the contribution of each term of a model to the score of each sample.

    Parameters
    ----------
    model : AdditiveOdds or Model
        A fitted model, whose ``columns`` may be splines or scores of other models.
    X : array-like of shape (n, p)
        Features.

    Returns
    -------
    DataFrame of shape (n, n_terms)
        One column a term, in units of the score; a row sums to the score. Shape functions
        have mean 0 on the training data; linear terms are coefficient times feature.

    Examples
    --------
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0, -2.0], [0.0], [0, 1], ["a", "b"])
    >>> contributions(model, [[3.0, 1.0]])
         a    b
    0  3.0 -2.0
    """
    frozen = model.to_predictor()
    rows = X.index if isinstance(X, pd.DataFrame) else None
    parts = frozen.parts(frozen.columns_of(X))
    return parts if rows is None else parts.set_axis(rows)


def model_shapes(model: AdditiveOdds, X: Table) -> tuple[Curve | ProductMap, ...]:
    """Compute the shape functions and interaction maps of an additive model.

    Parameters
    ----------
    model : AdditiveOdds
        A fitted model.
    X : array-like of shape (n, p)
        Features of its training data, for densities, ranges and importances.

    Returns
    -------
    tuple of Curve or ProductMap
        The terms with an effect on the score, most important first.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> model = AdditiveOdds(n_products=0).fit(X, np.digitize(X[:, 1], [-1.0, 0.0, 1.0]))
    >>> [term.name for term in model_shapes(model, X)]
    ['x1', 'x0']
    """
    names = model.transformer()[-1].get_term_names()
    values = np.asarray(X, dtype=np.float64)
    sizes = np.abs(_added(model, values)).mean(axis=0)
    p = values.shape[1]
    terms: list[Curve | ProductMap] = []
    # evaluation points of a shape function
    n_points = 60
    # bins of the density below it
    n_bins = 20
    # evaluation points along each side of an interaction map
    n_map = 25
    for term in np.argsort(-sizes, kind="stable").tolist():
        if sizes[term] <= 1e-9 * sizes.max():
            break
        about = str(names[term]), float(sizes[term])
        if term < p:
            points = np.unique(values[:, term])
            if len(points) > n_points:
                points = np.linspace(points[0], points[-1], n_points)
            counts, edges = np.histogram(values[:, term], bins=n_bins)
            added = _added_at(model, values, {term: points})[:, term]
            terms.append(Curve(*about, points, added, edges, counts.astype(np.float64)))
        else:
            i, j = model.columns_.pairs_[term - p]
            pair = values[:, [i, j]]
            first, second = np.linspace(pair.min(axis=0), pair.max(axis=0), n_map).T
            grid = {i: np.tile(first, n_map), j: np.repeat(second, n_map)}
            added = _added_at(model, values, grid)[:, term].reshape(n_map, n_map)
            terms.append(
                ProductMap(*about, str(names[i]), str(names[j]), first, second, added)
            )
    return tuple(terms)


def _added_at(model: AdditiveOdds, values: Floats, cells: Mapping[int, Floats]) -> Floats:
    """Compute contributions at mean features, some of them replaced by values (m,)."""
    rows = np.tile(values.mean(axis=0), (len(next(iter(cells.values()))), 1))
    for feature, column in cells.items():
        rows[:, feature] = column
    return _added(model, rows)


def _added(model: AdditiveOdds, values: Floats) -> Floats:
    """Compute the contributions of all terms for checked features, (n, p + n_pairs)."""
    return model.columns_.sum_terms(model.columns_.columns_of(values) * model.coef_)
