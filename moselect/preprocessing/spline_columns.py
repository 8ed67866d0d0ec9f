"""`SplineColumns`: spline basis of numeric features and products of the strongest ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Directions, Document, Floats, Integers, Labels, Table
from moselect.preprocessing.columns import Columns
from moselect.preprocessing.splines import (
    FURTHEST,
    NO_SPLINES,
    PLAIN,
    Factor,
    SplinePieces,
    factor,
    n_splines,
    spline_pieces,
    standardised,
)
from moselect.preprocessing.terms import Product, Term
from moselect.tables.features import feature_matrix, names_or_numbers, signs_of

KEPT = ("pairs", "centre", "scale", "column_centre", "column_scale")

# Most distinct values of a feature without a spline, and knots of the others.
MAX_RAW_VALUES = 6
N_KNOTS = 5


class SplineColumns(Columns):
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
    monotone : mapping of str to {1, -1}, or sequence of {1, -1, 0}, optional
        Features with a direction, by name or for each: their splines rise, and so do the
        two products of each pair with such a feature (``column_signs_``).

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
    signs_ : ndarray of shape (p,)
        Direction of each feature, 0 for any.
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

    knots_: list[Floats]
    pairs_: Integers
    signs_: Integers
    centre_: Floats
    scale_: Floats
    column_centre_: Floats
    column_scale_: Floats
    terms_: Integers
    n_features_in_: int
    feature_names_in_: Labels  # only of named features
    document_name = "splines"

    def __init__(self, *, n_products: int = 10, monotone: Directions = None) -> None:
        self.n_products = n_products
        self.monotone = monotone

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Place the knots of features (n, p); choose products by labels (n,), if given.

        Labels are numbers or an ordered Categorical.
        """
        self.fit_transform(X, y, sample_weight)
        return self

    def fit_transform(  # type: ignore[override]
        self,
        X: ArrayLike,
        y: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Floats:
        """Fit, and return the columns (n, q) of the training samples."""
        from sklearn.utils.validation import validate_data

        from moselect.samples.training import location_and_scale, ordinal_target
        from moselect.validation import check_weights, weights_or_ones

        all_values = validate_data(self, X, dtype=float)
        n = len(all_values)
        weights = weights_or_ones(check_weights(sample_weight, n), n)
        values = all_values[weights > 0.0]
        counted = weights[weights > 0.0]
        self.centre_, self.scale_ = location_and_scale(values, counted)
        self.knots_ = [self._place_knots(column, counted) for column in values.T]
        # Names that X lacks do not count: columns may be left out in a fold.
        self.signs_ = signs_of(self.monotone, self.names_in, values.shape[1])
        self.pairs_ = np.empty((0, 2), int)
        if y is not None:
            codes = ordinal_target(y, None)[1]
            self.pairs_ = self._choose_pairs(values, codes[weights > 0.0], counted)
        self._set_terms()
        raw = self._raw_columns(all_values)
        self.column_centre_, self.column_scale_ = location_and_scale(raw, weights)
        return self._standardised(raw)

    def transform(self, X: Table) -> Floats:
        """Compute the columns, shape (n, q), standardised by the moments of ``fit``."""
        return self.columns_of(feature_matrix(self._checked(X), self.names_in))

    def columns_of(self, values: Floats) -> Floats:
        """Compute the columns (n, q) of validated features (n, p)."""
        return self._standardised(self._raw_columns(values))

    def get_feature_names_out(
        self, input_features: Sequence[str] | None = None
    ) -> Labels:
        """Return the names of the columns, shape (q,)."""
        names = self.get_term_names(input_features)
        columns = []
        products = zip(names[len(self.knots_) :], self.factors(), strict=True)
        for name, knots in zip(names, self.knots_, strict=False):  # and then pairs
            columns.append(name)
            columns += [f"spline({name}, {k})" for k in range(1, n_splines(knots) + 1)]
        for name, factors in products:
            columns += [name, f"{name}, mirrored"][: len(factors)]
        return np.array(columns, object)

    def get_term_names(self, input_features: Sequence[str] | None = None) -> Labels:
        """Return the names of the terms, features and then pairs, shape (p + n_pairs,)."""
        names = names_or_numbers(self.names_in or input_features, self.n_features_in_)
        pairs = [f"{names[i]} * {names[j]}" for i, j in self.pairs_]
        return np.array([*names, *pairs], object)

    def sum_terms(self, weighted: Floats) -> Floats:
        """Add up the weighted columns (n, q) of each term, shape (n, p + n_pairs)."""
        starts = np.flatnonzero(np.diff(self.terms_, prepend=-1))
        return np.add.reduceat(weighted, starts, axis=1)

    @property
    def summary(self) -> str:
        """Description of the transformation, a sentence."""
        return (
            f"Features become cubic splines ({sum(map(len, self.knots_)):,} knots in all) and "
            f"{len(self.pairs_)} products of two of them, each with mean 0 and standard "
            "deviation 1."
        )

    def _raw_columns(self, values: Floats) -> Floats:
        """Compute the columns (n, q) before standardisation, with the operations of the terms."""
        columns = []
        for column, pieces in zip(values.T, self.pieces(), strict=True):
            columns += [column, *pieces.values(column)]
        Z = np.clip((values - self.centre_) / self.scale_, -FURTHEST, FURTHEST)
        for (i, j), factors in zip(self.pairs_.tolist(), self.factors(), strict=True):
            columns += [
                (Z[:, i] * slope + offset) * (Z[:, j] * other_slope + other_offset)
                for (offset, slope), (other_offset, other_slope) in factors
            ]
        return np.column_stack(columns)

    def _standardised(self, raw: Floats) -> Floats:
        return (raw - self.column_centre_) / self.column_scale_

    def terms(self, features: tuple[Term, ...] = ()) -> tuple[Term, ...]:
        """Return the output columns as formulas, given the formulas of the features."""
        raw = self._raw_terms(features)
        return tuple(standardised(raw, self.column_centre_, self.column_scale_))

    def _raw_terms(self, features: tuple[Term, ...]) -> list[Term]:
        """Return the columns before standardisation as formulas."""
        raw: list[Term] = []
        for feature, pieces in zip(features, self.pieces(), strict=True):
            raw.append(feature)
            raw += pieces.terms(feature)
        scaled = standardised(features, self.centre_, self.scale_)
        for (i, j), factors in zip(self.pairs_.tolist(), self.factors(), strict=True):
            raw += [
                Product(factor(scaled[i], *first), factor(scaled[j], *second))
                for first, second in factors
            ]
        return raw

    @property
    def column_signs_(self) -> Integers:
        """Sign of each column's weight that keeps the directions, 0 for any; shape (q,)."""
        bound = self.signs_[self.pairs_].any(axis=1).astype(int)
        return np.append(self.signs_, bound)[self.terms_]

    @property
    def groups_(self) -> Integers:
        """Group of each column: 0 feature, 1 spline, 2 product; shape (q,)."""
        is_first = np.diff(self.terms_, prepend=-1) > 0
        return np.where(self.terms_ >= len(self.knots_), 2, np.where(is_first, 0, 1))

    def to_document(self) -> Document:
        """Serialise the fitted transformer as JSON-compatible plain values."""
        document = {
            "columns": self.document_name,
            "features": self.names_in,
            "knots": [knots.tolist() for knots in self.knots_],
            **{name: getattr(self, f"{name}_").tolist() for name in KEPT},
        }
        if self.signs_.any():
            document["signs"] = self.signs_.tolist()
        return document

    @classmethod
    def from_document(cls, content: Document) -> Self:
        """Return the transformer that a document describes, the same to the last bit."""
        columns = cls()
        columns.knots_ = [np.array(knots, float) for knots in content["knots"]]
        columns.n_features_in_ = len(columns.knots_)
        columns.pairs_ = np.array(content["pairs"], int).reshape(-1, 2)
        columns.signs_ = signs_of(content.get("signs"), None, len(columns.knots_))
        columns._set_terms()
        for name in KEPT[1:]:
            setattr(columns, f"{name}_", np.array(content[name], float))
        if content["features"] is not None:
            columns.feature_names_in_ = np.array(content["features"], object)
        return columns

    def _set_terms(self) -> None:
        p = len(self.knots_)
        sizes = [1 + n_splines(knots) for knots in self.knots_]
        sizes += map(len, self.factors())
        self.terms_ = np.repeat(np.arange(p + len(self.pairs_)), sizes)

    def pieces(self) -> list[SplinePieces]:
        """Return the splines of each feature, which rise where it has a direction."""
        return [
            spline_pieces(knots, rising=sign != 0) if len(knots) else NO_SPLINES
            for knots, sign in zip(self.knots_, self.signs_.tolist(), strict=True)
        ]

    def factors(self) -> list[list[tuple[Factor, Factor]]]:
        """Return the factors of the products of each pair: one product, or two.

        Weighted by at least 0, the two of a pair with a direction give any bilinear
        function that keeps it: in its feature, turned to rise and at least 0, times the
        other feature at least 0 and the same mirrored; or, of two features with
        directions, their product, and the negative product of both mirrored.
        """
        factors = []
        for first, second in self.signs_[self.pairs_].tolist():
            a = first or 1.0
            b = second or 1.0
            rising = (FURTHEST, a), (FURTHEST, b)
            if not (first or second):
                factors.append([(PLAIN, PLAIN)])
            elif first and second:
                factors.append([rising, ((FURTHEST, -a), (-FURTHEST, b))])
            else:  # the factor without a direction is mirrored
                mirrored = (FURTHEST, a if first else -a), (FURTHEST, b if second else -b)
                factors.append([rising, mirrored])
        return factors

    def _place_knots(self, column: Floats, weights: Floats) -> Floats:
        distinct = np.unique(column)
        if len(distinct) <= MAX_RAW_VALUES:
            return np.empty(0)
        levels = np.linspace(0.0, 1.0, N_KNOTS)
        # numpy supports weights with this quantile method only
        knots = np.unique(
            np.quantile(column, levels, weights=weights, method="inverted_cdf")
        )
        # closer ones divide by nearly 0
        is_distinct = np.diff(knots) > 1e-6 * (knots[-1] - knots[0])
        knots = knots[np.append(True, is_distinct)]
        return knots if len(knots) > 2 else np.linspace(distinct[0], distinct[-1], 3)

    def _choose_pairs(self, values: Floats, codes: Integers, weights: Floats) -> Integers:
        """Return all pairs of the non-constant features most correlated with the ranks."""
        ranks = codes - np.average(codes, weights=weights)
        Z = (values - self.centre_) / self.scale_
        strength = np.abs((weights * ranks) @ Z)
        varying = np.flatnonzero(np.ptp(values, axis=0) > 0.0)
        order = varying[np.argsort(-strength[varying], kind="stable")]
        chosen = np.sort(order[: self.n_products])
        i, j = np.triu_indices(len(chosen), k=1)
        return np.column_stack([chosen[i], chosen[j]])
