"""`FrankHall`: a binary classifier for each cut between classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import _safe_indexing, get_tags, indexable
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from moselect._types import Floats
from moselect._validation import check_weights
from moselect.metrics import expected_class
from moselect.models.cumulative import class_shares, descending
from moselect.models.labels import ordinal_target
from moselect.models.proportional_odds_classifier import ProportionalOdds
from moselect.models.training import see_classes


class FrankHall(
    MetaEstimatorMixin,  # type: ignore[misc]
    ClassifierMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Estimate P(y > k) by a binary classifier for each cut k between classes.

    The classifiers are fitted independently, so that P(y > k) may rise with k and a difference,
    the probability of a class, be negative. They are replaced by the nearest ones that descend, by
    least squares (pool adjacent violators): no class probability is negative, and the expected
    class is what it was.

    Parameters
    ----------
    estimator : classifier, optional
        Any binary classifier with ``predict_proba``; it is fitted on labels 0 and 1. By default
        `ProportionalOdds`, which for two classes is logistic regression on standardised features.
    labels : sequence, optional
        Class labels, lowest first. Strings need it unless they are an ordered Categorical. A class
        that no sample of the training data has gets the probability 0.

    Attributes
    ----------
    estimators_ : list of classifiers
        One for each cut between classes that have samples, lowest first.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    n_features_in_, feature_names_in_
        As in the estimators, if they have them.

    References
    ----------
    Frank & Hall (2001), A simple approach to ordinal classification, ECML, 145-156. Sommer (2015),
    section 1.5.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> model = FrankHall(DecisionTreeClassifier(max_depth=3, random_state=0)).fit(X, y)
    >>> bool(model.predict_proba(X).min() >= 0.0)
    True
    """

    def __init__(
        self, estimator: Any | None = None, *, labels: Sequence[Any] | None = None
    ) -> None:
        self.estimator = estimator
        self.labels = labels

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit a classifier for each cut.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Whatever the estimator takes.
        y : array-like of shape (n,)
            Ordinal labels.
        sample_weight : array-like of shape (n,), optional
            Weights of the samples, if the estimator takes them.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If labels or weights are wrong, there is one class only, or weights are given to an
            estimator that takes none.
        TypeError
            If the estimator gives no probabilities.
        """
        estimator = self._binary()
        if not hasattr(estimator, "predict_proba"):
            raise TypeError(
                f"{type(estimator).__name__} has no predict_proba: FrankHall needs a classifier "
                "that gives probabilities"
            )
        X, y = indexable(X, y)
        self.classes_, codes = ordinal_target(y, self.labels)
        weights = check_weights(sample_weight, len(codes))
        if weights is not None:
            if not has_fit_parameter(estimator, "sample_weight"):
                raise ValueError(
                    f"{type(estimator).__name__}.fit takes no sample_weight: leave the weights "
                    "out, or put FrankHall into the pipeline instead of the pipeline into it"
                )
            counted = np.flatnonzero(weights)
            X, codes, weights = _safe_indexing(X, counted), codes[counted], weights[counted]
        self._seen, codes = see_classes(self.classes_, codes)
        given = {} if weights is None else {"sample_weight": weights}
        self.estimators_ = [
            clone(estimator).fit(X, (codes > cut).astype(np.int64), **given)
            for cut in range(len(self._seen.indices) - 1)
        ]
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimators_[0], name):
                setattr(self, name, getattr(self.estimators_[0], name))
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Compute the class probabilities (n, r)."""
        check_is_fitted(self)
        above = [estimator.predict_proba(X)[:, 1] for estimator in self.estimators_]
        predicted = descending(np.column_stack(above).astype(np.float64))
        return class_shares(self._seen.at_all_cuts(predicted, 1.0, 0.0))

    def decision_function(self, X: Any) -> Floats:
        """Score samples by their expected class, 1 .. r, shape (n,)."""
        return expected_class(self.predict_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the most probable class of each row of X, shape (n,)."""
        most_probable = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[most_probable])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._binary()).input_tags
        return tags

    def _binary(self) -> Any:
        return ProportionalOdds() if self.estimator is None else self.estimator
