"""`AdditiveOdds`: proportional odds along a sum of curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from moselect._validation import check_weights
from moselect.models.additive.spline_columns import SplineColumns
from moselect.models.proportional_odds_cv import ProportionalOddsCV
from moselect.models.training import features_and_codes

Floats = NDArray[np.float64]


class AdditiveOdds(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Fit proportional odds along a sum of curves of features and of products of features.

    ``P(y <= k | x) = F(b_k - f(x))`` with the logistic F and f(x) = sum_j f_j(x_j) + sum w_ij z_i
    z_j: a model that can be read, term by term. The columns are those of `SplineColumns`, the
    ridge penalty on their weights is that of `ProportionalOddsCV`.

    Parameters
    ----------
    n_knots, max_raw, n_products
        As in `SplineColumns`.
    labels : sequence, optional
        Class labels, lowest first. Strings need it unless they are an ordered Categorical.

    Attributes
    ----------
    columns_ : SplineColumns
        From features to columns.
    odds_ : ProportionalOddsCV
        Weights of the columns, and thresholds.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    thresholds_ : ndarray of shape (r - 1,)
        Ascending cut points of the score.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    Examples
    --------
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> model = AdditiveOdds().fit(X, y)
    >>> model.predict_proba(X).shape
    (506, 5)
    >>> parts = model.contributions(X)
    >>> bool(np.allclose(parts.sum(axis=1), model.decision_function(X)))
    True
    """

    def __init__(
        self,
        *,
        n_knots: int = 5,
        max_raw: int = 6,
        n_products: int = 10,
        labels: Sequence[Any] | None = None,
    ) -> None:
        self.n_knots = n_knots
        self.max_raw = max_raw
        self.n_products = n_products
        self.labels = labels

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Finite features, in any units.
        y : array-like of shape (n,)
            Ordinal labels.
        sample_weight : array-like of shape (n,), optional
            Weights of the samples.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If features, labels, weights or settings are wrong, or there is one class only.
        """
        values, codes = features_and_codes(self, X, y)
        weights = check_weights(sample_weight, len(codes))
        ranks = list(range(len(self.classes_)))
        self.columns_ = SplineColumns(
            n_knots=self.n_knots, max_raw=self.max_raw, n_products=self.n_products, labels=ranks
        ).fit(values, codes, weights)
        columns = self.columns_.columns_of(values)
        self.odds_ = ProportionalOddsCV(labels=ranks).fit(columns, codes, weights)
        if hasattr(self, "feature_names_in_"):
            self.columns_.feature_names_in_ = self.feature_names_in_
        return self

    @property
    def thresholds_(self) -> Floats:
        """Cut points, shape (r - 1,)."""
        return self.odds_.thresholds_

    def decision_function(self, X: ArrayLike) -> Floats:
        """Compute the score f(x), shape (n,); higher means a higher class."""
        columns = self._columns_of(X)
        return self.odds_.decision_function(columns)

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities, shape (n, r)."""
        columns = self._columns_of(X)
        return self.odds_.predict_proba(columns)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Predict the most probable class of each row of X, shape (n,)."""
        most_probable = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[most_probable])

    def contributions(self, X: ArrayLike) -> Floats:
        """Compute what each term adds to the score of each sample.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Features.

        Returns
        -------
        ndarray of shape (n, p + n_pairs)
            Terms as `get_term_names` names them; 0 is the mean of the data of ``fit``. The sum of
            a row is the score.
        """
        weighted = self._columns_of(X) * self.odds_.coef_
        starts = np.flatnonzero(np.diff(self.columns_.terms_, prepend=-1))
        return np.asarray(np.add.reduceat(weighted, starts, axis=1))

    def get_term_names(self) -> NDArray[np.object_]:
        """Return the names of the terms, features and then products, shape (p + n_pairs,)."""
        check_is_fitted(self)
        return self.columns_.get_term_names()

    def _columns_of(self, X: ArrayLike) -> Floats:
        check_is_fitted(self)
        return self.columns_.columns_of(validate_data(self, X, dtype=np.float64, reset=False))
