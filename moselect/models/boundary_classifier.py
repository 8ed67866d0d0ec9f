"""`BoundaryClassifier`: a model for each boundary between classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import MetaEstimatorMixin, clone, is_classifier

from moselect._types import Floats, Integers
from moselect.metrics.scorers import predicted_probabilities
from moselect.operators.graph import Result, beside
from moselect.operators.probabilities import of_seen_classes
from moselect.predictor.class_probabilities import class_shares, descending
from moselect.samples.training import (
    OrdinalClassifier,
    features_and_codes,
    features_to_predict,
    observed_classes,
)
from moselect.samples.validation import check_weights


class BoundaryClassifier(MetaEstimatorMixin, OrdinalClassifier):  # type: ignore[misc]
    """Fit a classifier of two classes for each boundary, and combine P(y > k).

    P(y > k) is made to descend with k, row by row. If every P(y > k) may only rise with a
    feature, so do the combined ones: isotonic regression keeps the order of two sequences.

    Parameters
    ----------
    estimator : classifier
        Classifier of two classes with ``predict_proba``; cloned for each boundary.
    labels : sequence, optional
        Class labels, lowest first. Required for strings unless they are an ordered
        Categorical. Classes without training samples get probability 0.

    Attributes
    ----------
    estimators_ : list of classifier
        The fitted classifiers, lowest boundary first.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    References
    ----------
    Frank & Hall (2001), A simple approach to ordinal classification, ECML, 145-156.

    Examples
    --------
    >>> from sklearn.ensemble import HistGradientBoostingClassifier
    >>> X, y = np.arange(90.0)[:, None], np.repeat([1, 2, 3], 30)
    >>> rising = HistGradientBoostingClassifier(monotonic_cst=[1])
    >>> BoundaryClassifier(rising).fit(X, y).predict([[10.0], [50.0], [70.0]])
    array([1, 2, 3])
    """

    _in_order = True

    def __init__(self, estimator: Any, labels: Sequence[Any] | None = None) -> None:
        self.estimator = estimator
        self.labels = labels

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit the classifiers to features (n, p), ordinal labels (n,) and weights (n,)."""
        values, codes = features_and_codes(self, X, y)
        weights = check_weights(sample_weight, len(codes))
        weighted: dict[str, Any] = {}
        if weights is not None:
            counted = weights > 0.0
            values, codes = values[counted], codes[counted]
            weighted = {"sample_weight": weights[counted]}
        self._observed, codes = observed_classes(self.classes_, codes)
        self.estimators_ = [
            clone(self.estimator).fit(values, (codes > k).astype(np.int64), **weighted)
            for k in range(codes.max())
        ]
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities, shape (n, r)."""
        values, two = features_to_predict(self, X), np.arange(2)
        above = [
            predicted_probabilities(estimator, values, two)[:, 1]
            for estimator in self.estimators_
        ]
        combined = descending(np.column_stack(above))
        return class_shares(self._observed.at_all_boundaries(combined, 1.0, 0.0))

    def operators(self, X: Result) -> Result:
        """Convert to operators, from features (n, p) to class probabilities (n, r)."""
        above = [each.operators(X).columns([1]) for each in self.estimators_]
        return of_seen_classes(beside(above), *self._observed)


def keeps_directions(model: Any) -> bool:
    """Return whether a model has a parameter for the directions of its features."""
    return not {"monotone", "monotonic_cst"}.isdisjoint(model.get_params(deep=False))


def with_directions(model: Any, signs: Integers) -> Any:
    """Return an unfitted copy of a model that keeps the directions (p,) of its features.

    An estimator of scikit-learn with ``monotonic_cst`` keeps them for two classes: of
    more, each boundary gets one. The model must be one that `keeps_directions`.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> with_directions(DecisionTreeClassifier(), np.array([0, -1]))
    BoundaryClassifier(estimator=DecisionTreeClassifier(monotonic_cst=[0, -1]))
    """
    fresh = clone(model)
    if "monotone" in model.get_params(deep=False):
        return fresh.set_params(monotone=signs.tolist())
    fresh.set_params(monotonic_cst=signs.tolist())
    return BoundaryClassifier(fresh) if is_classifier(fresh) else fresh
