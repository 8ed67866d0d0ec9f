"""Ordinal classifiers: their base class, and a binary classifier at each class boundary."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    MetaEstimatorMixin,
    clone,
    is_classifier,
)

from moselect._types import (
    Array,
    Directions,
    Estimator,
    Floats,
    Integers,
    LabelOrder,
    Labels,
)
from moselect.costs.decisions import costs_in_order
from moselect.metrics.scorers import predicted_probabilities
from moselect.operators.graph import Result, at_all_classes, concatenated
from moselect.predictor.decisions import LeastCost
from moselect.predictor.model import Model
from moselect.predictor.score_calibration import class_shares, descending
from moselect.predictor.scorers import ProbabilityScorer
from moselect.samples.training import (
    features_to_predict,
    observed_classes,
    validated_samples,
)
from moselect.tables.features import feature_signs


class OrdinalClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base class of classifiers that predict the most probable class."""

    monotone: Directions = None
    labels: LabelOrder = None
    classes_: Labels
    n_features_in_: int

    @property
    def _in_order(self) -> bool:
        """Whether decisions must rise with all P(y > k), because a feature has a direction."""
        return self.monotone is not None

    @property
    def _signs(self) -> Integers:
        """Direction of each feature (p,): 1, -1, or 0 for any."""
        # Directions by name need the names of the features in fit.
        names = getattr(self, "feature_names_in_", None)
        return feature_signs(self.monotone, names, self.n_features_in_)

    def predict(self, X: ArrayLike) -> Array:
        """Predict the most probable class of each row of X, shape (n,)."""
        proba = self.predict_proba(X)
        if not self._in_order:
            return self.classes_[proba.argmax(axis=1)]
        # Zero-one costs have the most probable class as their cheapest decision; they change
        # as little as decisions in order require.
        costs = costs_in_order(1.0 - np.eye(len(self.classes_)))
        return self.classes_[(proba @ costs).argmin(axis=1)]

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities (n, r)."""
        raise NotImplementedError

    def operators(self, X: Result) -> Result:
        """Convert to operators, from features (n, p) to class probabilities (n, r)."""
        raise ValueError(f"{type(self).__name__} has no form as a graph")

    def to_predictor(self) -> Model:
        """Convert to a frozen model that predicts the most probable class."""
        scorer = ProbabilityScorer.of(self)
        # An ensemble with a model of another package has no graph.
        with suppress(ValueError):
            scorer = ProbabilityScorer.of(self, as_graph=True)
        return Model(scorer, self.classes_, LeastCost())


# Parameters for directions of features, of estimators here and of scikit-learn.
DIRECTIONS = {"monotone", "monotonic_cst"}


class CumulativeClassifier(MetaEstimatorMixin, OrdinalClassifier):  # type: ignore[misc]
    """Estimate P(y > k) for each k by a clone of a binary classifier (Frank & Hall 2001).

    P(y > k) is made to descend with k, and ``P(y = k) = P(y > k - 1) - P(y > k)``. If every
    P(y > k) may only rise with a feature, so do the combined ones: isotonic regression keeps the
    order of two sequences.

    Parameters
    ----------
    estimator : classifier
        Classifier with ``predict_proba``; cloned for each boundary.
    labels : sequence, optional
        Class labels, lowest first. Required for strings unless they are an ordered
        Categorical. Classes without training samples get probability 0.

    Attributes
    ----------
    estimators_ : list of classifier
        One for each boundary between classes that have samples.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    References
    ----------
    Frank & Hall (2001), A simple approach to ordinal classification, ECML, 145-156.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X = np.arange(60.0)[:, None]
    >>> model = CumulativeClassifier(GaussianNB()).fit(X, np.arange(60) // 20)
    >>> model.predict([[5.0], [30.0], [55.0]])
    array([0, 1, 2])
    """

    def __init__(self, estimator: Estimator, labels: LabelOrder = None) -> None:
        self.estimator = estimator
        self.labels = labels

    @property
    def _in_order(self) -> bool:
        """Whether the classifiers were given directions."""
        given = self.estimator.get_params(deep=False)
        return any(given.get(name) is not None for name in DIRECTIONS)

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit the classifiers to features (n, p), ordinal labels (n,) and weights (n,).

        Raises
        ------
        ValueError
            If features, labels or weights are invalid.
        """
        samples = validated_samples(self, X, y, sample_weight)
        # Weight 0 means absent: no model must be fitted to classes that only such samples
        # have.
        samples = samples.take(samples.sample_weight_or_ones > 0.0)
        self._observed, codes = observed_classes(self.classes_, samples.codes)
        weighted = {}
        if samples.weights is not None:
            weighted["sample_weight"] = samples.weights
        # One binary problem a boundary: the classes above it against the rest.
        self.estimators_ = [
            clone(self.estimator).fit(samples.X, (codes > k).astype(np.int64), **weighted)
            for k in range(codes.max())
        ]
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities, shape (n, r)."""
        values = features_to_predict(self, X)
        above = np.column_stack(
            [
                predicted_probabilities(each, values, np.arange(2))[:, 1]
                for each in self.estimators_
            ]
        )
        # Separate fits may cross: P(y > k) is made to fall with k before differences are
        # taken.
        combined = descending(above)
        return class_shares(self._observed.at_all_boundaries(combined, 1.0, 0.0))

    def operators(self, X: Result) -> Result:
        """Convert to operators, from features (n, p) to class probabilities (n, r)."""
        above = []
        for estimator in self.estimators_:
            if not hasattr(estimator, "operators"):
                raise ValueError(
                    f"{type(estimator).__name__} at each boundary (with directions of columns) "
                    "has no form as a graph, and no file: select another candidate"
                )
            above.append(estimator.operators(X).columns([1]))
        return at_all_classes(concatenated(above), *self._observed)


def keeps_directions(model: Estimator) -> bool:
    """Return whether a model has a parameter for the directions of its features."""
    return not DIRECTIONS.isdisjoint(model.get_params(deep=False))


def with_directions(model: Estimator, signs: Integers) -> Any:
    """Return an unfitted copy of a model that keeps the directions (p,) of its features.

    An estimator of scikit-learn with ``monotonic_cst`` keeps them for two classes: of
    more, each boundary gets one. The model must be one that `keeps_directions`.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> with_directions(DecisionTreeClassifier(), np.array([0, -1]))
    CumulativeClassifier(estimator=DecisionTreeClassifier(monotonic_cst=[0, -1]))
    """
    fresh = clone(model)
    if "monotone" in model.get_params(deep=False):
        return fresh.set_params(monotone=signs.tolist())
    fresh.set_params(monotonic_cst=signs.tolist())
    if is_classifier(fresh):
        return CumulativeClassifier(fresh)
    return fresh
