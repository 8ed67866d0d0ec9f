"""Base class of ordinal classifiers."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
)

from moselect._types import (
    Array,
    Directions,
    Floats,
    Integers,
    LabelOrder,
    Labels,
)
from moselect.costs.decisions import costs_in_order
from moselect.operators.graph import Result
from moselect.predictor.decisions import LeastCost
from moselect.predictor.model import Model
from moselect.predictor.scorers import ProbabilityScorer
from moselect.tables.features import (
    check_directions,
    fitted_names,
    names_or_numbers,
    signs_of,
)


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
        names = names_or_numbers(fitted_names(self), self.n_features_in_)
        if isinstance(self.monotone, Mapping):
            check_directions(self.monotone, names)
        return signs_of(self.monotone, names, len(names))

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
