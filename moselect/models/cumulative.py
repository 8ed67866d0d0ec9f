"""`CumulativeClassifier`: any binary classifier at each class boundary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import MetaEstimatorMixin, clone

from moselect._types import Floats
from moselect.metrics.scorers import predicted_probabilities
from moselect.predictor.class_probabilities import class_shares, descending
from moselect.samples.training import (
    OrdinalClassifier,
    features_and_codes,
    features_to_predict,
    observed_classes,
)


class CumulativeClassifier(MetaEstimatorMixin, OrdinalClassifier):  # type: ignore[misc]
    """Estimate P(y > k) for each k by a clone of a binary classifier (Frank & Hall 2001).

    P(y > k) is made to descend with k.

    Parameters
    ----------
    estimator : classifier
        Classifier with ``predict_proba``.
    labels : sequence, optional
        Class labels, lowest first. Required for strings unless they are an ordered
        Categorical. Classes without training samples get probability 0.

    Attributes
    ----------
    estimators_ : list of classifiers
        One for each boundary between classes that have samples.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.

    References
    ----------
    Frank & Hall (2001), A simple approach to ordinal classification, ECML.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X = np.arange(60.0)[:, None]
    >>> model = CumulativeClassifier(GaussianNB()).fit(X, np.arange(60) // 20)
    >>> model.predict([[5.0], [30.0], [55.0]])
    array([0, 1, 2])
    """

    def __init__(self, estimator: Any, labels: Sequence[Any] | None = None) -> None:
        self.estimator = estimator
        self.labels = labels

    def fit(self, X: ArrayLike, y: ArrayLike, **fit_parameters: Any) -> Self:
        """Fit to features (n, p) and ordinal labels (n,), with parameters of its fit."""
        values, codes = features_and_codes(self, X, y)
        self._observed, codes = observed_classes(self.classes_, codes)
        self.estimators_ = [
            clone(self.estimator).fit(values, (codes > k).astype(int), **fit_parameters)
            for k in range(codes.max())
        ]
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities, shape (n, r)."""
        values = features_to_predict(self, X)
        above = [
            predicted_probabilities(estimator, values, np.arange(2))[:, 1]
            for estimator in self.estimators_
        ]
        predicted = descending(np.column_stack(above))
        return class_shares(self._observed.at_all_boundaries(predicted, 1.0, 0.0))
