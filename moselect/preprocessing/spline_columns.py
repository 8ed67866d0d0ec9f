"""`SplineColumns`: spline basis of numeric features and products of the strongest ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import (
    _check_feature_names_in,
    check_is_fitted,
    validate_data,
)

from moselect._types import Floats
from moselect.preprocessing.spline_pieces import n_splines, spline_pieces
from moselect.preprocessing.terms import Curve, Product, Standardised, Term
from moselect.samples.training import (
    features_to_predict,
    location_and_scale,
    ordinal_target,
)
from moselect.samples.validation import check_weights

Names = NDArray[np.object_]

N_KNOTS = 5
MAX_RAW = 6  # distinct values up to which a feature gets no spline
KEPT = ("pairs", "centre", "scale", "column_centre", "column_scale")
FURTHEST = 3.0  # standard deviations at which the factors of products are clipped


class SplineColumns(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Transform features into spline and product columns for additive models.

    For each feature: the feature itself and, if it has more than six distinct values, a
    cubic B-spline basis with knots at five quantiles (fewer where they coincide), linear
    beyond the outermost knots; and products of all pairs of the features that correlate
    most with the ranks of y. All columns have mean 0 and standard deviation 1 on the
    training data.

    Parameters
    ----------
    n_products : int, default=10
        Number of features in pairwise products; 0: none. Factors are
        standardised and clipped at 3 standard deviations.

    Attributes
    ----------
    knots_ : list of ndarray
        Knots of each feature, ascending; empty for features without a spline.
    pairs_ : ndarray of shape (n_pairs, 2)
        Pairs of features in products.
    centre_, scale_ : ndarray of shape (p,)
        Mean and standard deviation of the features; scale 1 for constant ones.
    column_centre_, column_scale_ : ndarray of shape (q,)
        Mean and standard deviation of the columns before standardisation.
    terms_ : ndarray of shape (q,)
        The term of each column: feature j, or p + i for pair i.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    Examples
    --------
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> columns = SplineColumns(n_products=2).fit(X, y)
    >>> columns.transform(X).shape
    (506, 83)
    >>> columns.get_feature_names_out()[[0, 1, -1]]
    array(['CRIM', 'spline(CRIM, 1)', 'RM * LSTAT'], dtype=object)
    """

    document_name = "splines"

    def __init__(self, *, n_products: int = 10) -> None:
        self.n_products = n_products

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Place the knots of features (n, p); choose products by labels (n,), if given.

        Labels are numbers or an ordered Categorical.
        """
        values = validate_data(self, X, dtype=np.float64)
        weights = check_weights(sample_weight, len(values))
        if weights is None:
            weights = np.ones(len(values))
        values, counted = values[weights > 0.0], weights[weights > 0.0]
        self.centre_, self.scale_ = location_and_scale(values, counted)
        self.knots_ = [self._place_knots(column, counted) for column in values.T]
        self.pairs_ = np.empty((0, 2), dtype=np.int64)
        if y is not None:
            codes = ordinal_target(y, None)[1]
            if len(codes) != len(weights):
                raise ValueError(
                    f"X has {len(weights)} rows but y has {len(codes)} labels"
                )
            self.pairs_ = self._choose_pairs(values, codes[weights > 0.0], counted)
        self._set_terms()
        raw = self._raw_columns(values)
        self.column_centre_, self.column_scale_ = location_and_scale(raw, counted)
        return self

    def transform(self, X: ArrayLike) -> Floats:
        """Compute the columns, shape (n, q), standardised by the moments of ``fit``."""
        return self.columns_of(features_to_predict(self, X))

    def columns_of(self, values: Floats) -> Floats:
        """Compute the columns (n, q) of validated features (n, p)."""
        columns = self._raw_columns(values)
        columns -= self.column_centre_
        columns /= self.column_scale_
        return columns

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> Names:
        """Return the names of the columns, shape (q,)."""
        check_is_fitted(self)
        names, columns = self.get_term_names(input_features), []
        for name, knots in zip(names, self.knots_, strict=False):  # and then pairs
            columns.append(name)
            columns += [f"spline({name}, {k})" for k in range(1, n_splines(knots) + 1)]
        return np.array([*columns, *names[len(self.knots_) :]], dtype=object)

    def get_term_names(self, input_features: Sequence[str] | None = None) -> Names:
        """Return the names of the terms, features and then pairs, shape (p + n_pairs,)."""
        names = _check_feature_names_in(self, input_features)
        pairs = [f"{names[i]} * {names[j]}" for i, j in self.pairs_]
        return np.array([*names, *pairs], dtype=object)

    def sum_terms(self, weighted: Floats) -> Floats:
        """Add up the weighted columns (n, q) of each term, shape (n, p + n_pairs)."""
        starts = np.flatnonzero(np.diff(self.terms_, prepend=-1))
        return np.add.reduceat(weighted, starts, axis=1)

    @property
    def summary(self) -> str:
        """Description of the transformation, a sentence."""
        return (
            f"Features become cubic curves ({sum(map(len, self.knots_)):,} knots in all) and "
            f"{len(self.pairs_)} products of two of them, each with mean 0 and standard "
            "deviation 1."
        )

    def terms(self, features: tuple[Term, ...]) -> tuple[Term, ...]:
        """Return the output columns as formulas, given the formulas of the features."""
        raw: list[Term] = []
        for feature, knots in zip(features, self.knots_, strict=True):
            raw.append(feature)
            if len(knots):
                raw += spline_pieces(knots).terms(feature)
        lines = (0.0, -FURTHEST), (1.0, 0.0), (0.0, FURTHEST)
        clipped = [
            Curve(term, (-FURTHEST, FURTHEST), (0.0, 0.0, 0.0), lines)
            for term in _standardised(features, self.centre_, self.scale_)
        ]
        raw += [Product(clipped[i], clipped[j]) for i, j in self.pairs_.tolist()]
        return tuple(_standardised(raw, self.column_centre_, self.column_scale_))

    def raw_features(self) -> tuple[NDArray[np.int64], Floats, Floats]:
        """Return which columns are features, and their means and standard deviations, (p,) each."""
        indices = np.flatnonzero(self.groups_ == 0)
        return indices, self.column_centre_[indices], self.column_scale_[indices]

    @property
    def groups_(self) -> NDArray[np.int64]:
        """Group of each column: 0 feature, 1 spline, 2 product; shape (q,)."""
        is_first = np.diff(self.terms_, prepend=-1) > 0
        return np.where(self.terms_ >= len(self.knots_), 2, np.where(is_first, 0, 1))

    def to_document(self) -> dict[str, Any]:
        """Serialise the fitted transformer as JSON-compatible plain values."""
        names = getattr(self, "feature_names_in_", None)
        return {
            "columns": self.document_name,
            "features": None if names is None else list(map(str, names)),
            "knots": [knots.tolist() for knots in self.knots_],
            **{name: getattr(self, f"{name}_").tolist() for name in KEPT},
        }

    @classmethod
    def from_document(cls, content: Mapping[str, Any]) -> Self:
        """Return the transformer that a document describes, the same to the last bit."""
        columns = cls()
        columns.knots_ = [np.array(knots, dtype=np.float64) for knots in content["knots"]]
        columns.n_features_in_ = len(columns.knots_)
        columns.pairs_ = np.array(content["pairs"], dtype=np.int64).reshape(-1, 2)
        columns._set_terms()
        for name in KEPT[1:]:
            setattr(columns, f"{name}_", np.array(content[name], dtype=np.float64))
        if content["features"] is not None:
            columns.feature_names_in_ = np.array(content["features"], dtype=object)
        return columns

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "column_scale_")

    def _place_knots(self, column: Floats, weights: Floats) -> Floats:
        distinct = np.unique(column)
        if len(distinct) <= MAX_RAW:
            return np.empty(0)
        levels = np.linspace(0.0, 1.0, N_KNOTS)
        # numpy supports weights with this quantile method only
        knots = np.unique(
            np.quantile(column, levels, weights=weights, method="inverted_cdf")
        )
        # closer ones divide by nearly 0
        apart = np.diff(knots) > 1e-6 * (knots[-1] - knots[0])
        knots = knots[np.append(True, apart)]
        return knots if len(knots) > 2 else np.linspace(distinct[0], distinct[-1], 3)

    def _choose_pairs(
        self, values: Floats, codes: Any, weights: Floats
    ) -> NDArray[np.int64]:
        """Return all pairs of the non-constant features most correlated with the ranks."""
        ranks = codes - np.average(codes, weights=weights)
        Z = (values - self.centre_) / self.scale_
        strength = np.abs((weights * ranks) @ Z)
        varying = np.flatnonzero(np.ptp(values, axis=0) > 0.0)
        order = varying[np.argsort(-strength[varying], kind="stable")]
        chosen = np.sort(order[: self.n_products])
        i, j = np.triu_indices(len(chosen), k=1)
        return np.column_stack([chosen[i], chosen[j]])

    def _set_terms(self) -> None:
        p = len(self.knots_)
        sizes = [1 + n_splines(knots) for knots in self.knots_] + [1] * len(self.pairs_)
        self.terms_ = np.repeat(np.arange(p + len(self.pairs_)), sizes)

    def _raw_columns(self, values: Floats) -> Floats:
        """Compute the columns (n, q) before standardisation."""
        parts = []
        for column, knots in zip(values.T, self.knots_, strict=True):
            parts.append(column[:, None])
            if len(knots):
                parts.append(spline_pieces(knots).evaluate(column))
        Z = np.clip((values - self.centre_) / self.scale_, -FURTHEST, FURTHEST)
        parts.append(Z[:, self.pairs_[:, 0]] * Z[:, self.pairs_[:, 1]])
        return np.hstack(parts)


def _standardised(terms: Iterable[Term], centre: Floats, scale: Floats) -> list[Term]:
    numbers = zip(terms, centre.tolist(), scale.tolist(), strict=True)
    return [Standardised(term, mean, deviation) for term, mean, deviation in numbers]
