"""`ProportionalOddsCV`: proportional odds, the penalty chosen by cross-validated likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from moselect._types import Floats, Integers
from moselect._validation import check_weights
from moselect.features import check_feature_scale
from moselect.folds import Folds
from moselect.models.proportional_odds import class_probabilities, fit_cumulative_link
from moselect.models.proportional_odds_classifier import ProportionalOdds
from moselect.models.threads import one_blas_thread
from moselect.models.training import (
    features_and_codes,
    features_to_predict,
    merge_equal,
    see_classes,
)
from moselect.samples import equal_rows

ALPHAS = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1_000.0, 3_000.0, 10_000.0)
UNLIKELY = 1e-6  # least probability counted, for a class that a fold was fitted without
PATIENCE = 2  # penalties in a row that may be worse than the best one before the search ends
OPTIONS = {"maxiter": 200, "ftol": 1e-6}  # for the likelihood of held-out samples, close enough


class ProportionalOddsCV(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Fit `ProportionalOdds` with the ridge penalty of greatest cross-validated likelihood.

    Parameters
    ----------
    alphas : sequence of float, default=(0.3, 1, 3, ..., 10000)
        Penalties to choose from, as ``alpha`` of `ProportionalOdds`. They are tried from the
        strongest one; the search ends when two in a row are worse than the best so far.
    cv : int, splitter or iterable, default=5
        Number of folds, stratified by class; or splits that hold every sample out once.
    labels : sequence, optional
        Class labels, lowest first. Strings need it unless they are an ordered Categorical.

    Attributes
    ----------
    alpha_ : float
        The penalty chosen.
    coef_ : ndarray of shape (p,)
        Weights, in the units of the features; 0 for constant ones.
    thresholds_ : ndarray of shape (r - 1,)
        Ascending cut points of the score.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    Notes
    -----
    The result depends on nothing but the samples and their weights: not on their order, and a
    weight of 2 is a sample that is there twice.

    Examples
    --------
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> model = ProportionalOddsCV().fit(X, y)
    >>> model.alpha_, model.coef_.shape
    (1.0, (13,))
    """

    def __init__(
        self,
        *,
        alphas: Sequence[float] = ALPHAS,
        cv: Any = 5,
        labels: Sequence[Any] | None = None,
    ) -> None:
        self.alphas = alphas
        self.cv = cv
        self.labels = labels

    @one_blas_thread()
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
        alphas = np.sort(np.asarray(self.alphas, dtype=np.float64))[::-1]
        if not (alphas.ndim == 1 and alphas.size and np.isfinite(alphas).all() and alphas[-1] > 0):
            raise ValueError(f"alphas must be positive numbers, not {self.alphas}")
        values, codes = features_and_codes(self, X, y)
        check_feature_scale(values, getattr(self, "feature_names_in_", None))
        weights = check_weights(sample_weight, len(codes))
        self.alpha_ = self._best_penalty(values, codes, weights, alphas)
        model = ProportionalOdds(alpha=self.alpha_, labels=list(self.classes_))
        self.model_ = model.fit(values, self.classes_[codes], weights)
        return self

    @property
    def coef_(self) -> Floats:
        """Weights, shape (p,)."""
        return self.model_.coef_

    @property
    def thresholds_(self) -> Floats:
        """Cut points, shape (r - 1,)."""
        return self.model_.thresholds_

    def decision_function(self, X: ArrayLike) -> Floats:
        """Compute the score ``w . x``, shape (n,); higher means a higher class."""
        check_is_fitted(self)
        values = features_to_predict(self, X)
        return self.model_.decision_function(values)

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities, shape (n, r)."""
        check_is_fitted(self)
        values = features_to_predict(self, X)
        return self.model_.predict_proba(values)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Predict the most probable class of each row of X, shape (n,)."""
        most_probable = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[most_probable])

    def _best_penalty(
        self, values: Floats, codes: Integers, given: Floats | None, alphas: Floats
    ) -> float:
        """Return the penalty under which held-out samples are most likely."""
        if len(alphas) == 1:
            return float(alphas[0])
        if isinstance(self.cv, int | np.integer):
            values, codes, weights, _ = merge_equal(values, codes, given)
            folds = Folds.deal(equal_rows(values), codes, int(self.cv), weights).index
        else:
            folds = Folds.of(self.cv, values, equal_rows(values), codes).index
            weights = np.ones(len(codes)) if given is None else given
            counted = weights > 0.0
            values, codes, weights = values[counted], codes[counted], weights[counted]
            folds = folds[counted]
        _, codes = see_classes(self.classes_, codes)
        centre = np.average(values, axis=0, weights=weights)
        scale = np.sqrt(np.average((values - centre) ** 2, axis=0, weights=weights))
        varying = np.ptp(values, axis=0) > 0.0
        Z = (values - centre)[:, varying] / scale[varying]
        parts = [(folds != j, folds == j) for j in np.unique(folds)]
        n_classes = int(codes.max()) + 1
        starts: list[tuple[Floats, Floats] | None] = [None] * len(parts)
        likelihoods: list[float] = []
        for alpha in alphas:
            likelihood = 0.0
            for j, (train, test) in enumerate(parts):
                fit = fit_cumulative_link(
                    Z[train],
                    codes[train],
                    n_classes,
                    alpha,
                    weights[train],
                    start=starts[j],
                    options=OPTIONS,
                )
                starts[j] = fit.weights, fit.cuts
                proba = class_probabilities(Z[test] @ fit.weights, fit.cuts)
                own = proba[np.arange(len(proba)), codes[test]]
                likelihood += float(weights[test] @ np.log(np.maximum(own, UNLIKELY)))
            likelihoods.append(likelihood)
            if len(likelihoods) - 1 - int(np.argmax(likelihoods)) >= PATIENCE:
                break
        return float(alphas[int(np.argmax(likelihoods))])
