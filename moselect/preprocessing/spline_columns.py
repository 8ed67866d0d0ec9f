"""`SplineColumns`: spline basis of numeric features and products of the strongest ones."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import (
    _check_feature_names_in,
    check_is_fitted,
    validate_data,
)

from moselect._types import Directions, Floats
from moselect.preprocessing.fitted_splines import FittedSplines, Names
from moselect.samples.training import (
    features_to_predict,
    location_and_scale,
    ordinal_target,
)
from moselect.tables.features import feature_signs, signs_of
from moselect.validation import check_weights

# Most distinct values of a feature without a spline, and knots of the others.
MAX_RAW_VALUES = 6
N_KNOTS = 5


class SplineColumns(TransformerMixin, FittedSplines, BaseEstimator):  # type: ignore[misc]
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
        values = validate_data(self, X, dtype=np.float64)
        weights = check_weights(sample_weight, len(values))
        if weights is None:
            weights = np.ones(len(values))
        values = values[weights > 0.0]
        counted = weights[weights > 0.0]
        self.centre_, self.scale_ = location_and_scale(values, counted)
        self.knots_ = [self._place_knots(column, counted) for column in values.T]
        names = getattr(self, "feature_names_in_", None)
        monotone: Any = self.monotone
        if isinstance(monotone, Mapping):  # columns may be left out in a fold
            monotone = signs_of(monotone, names, values.shape[1])
        self.signs_ = feature_signs(monotone, names, values.shape[1])
        self.pairs_ = np.empty((0, 2), dtype=np.int64)
        if y is not None:
            codes = ordinal_target(y, None)[1]
            self.pairs_ = self._choose_pairs(values, codes[weights > 0.0], counted)
        self._set_terms()
        raw = self._raw_columns(values)
        self.column_centre_, self.column_scale_ = location_and_scale(raw, counted)
        return self

    def transform(self, X: ArrayLike) -> Floats:
        """Compute the columns, shape (n, q), standardised by the moments of ``fit``."""
        return self.columns_of(features_to_predict(self, X))

    def _names(self, input_features: Sequence[str] | None) -> Names:
        check_is_fitted(self)
        names: Names = _check_feature_names_in(self, input_features)
        return names

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "column_scale_")

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
