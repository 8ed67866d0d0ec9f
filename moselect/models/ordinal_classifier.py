"""Base class of ordinal classifiers: decisions by class probabilities, and the frozen form."""

from contextlib import suppress

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin

from moselect._types import Array, Directions, Floats, Integers, Labels
from moselect.operators.graph import Result
from moselect.predictor.decisions import LeastCost
from moselect.predictor.model import Model
from moselect.predictor.scorers import ClassifierScorer, GraphScorer
from moselect.samples.class_values import costs_in_order, in_class_order
from moselect.samples.features import feature_signs
from moselect.samples.validation import check_cost_matrix


class OrdinalClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base class of classifiers that predict the most probable class."""

    monotone: Directions
    classes_: Labels
    n_features_in_: int
    _guessed = False  # the order of the classes

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
        if self._in_order:
            # Zero-one costs have the most probable class as their cheapest decision.
            return self.decide(X, 1.0 - np.eye(len(self.classes_)))
        most_probable = self.predict_proba(X).argmax(axis=1)
        return self.classes_[most_probable]

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities (n, r)."""
        raise NotImplementedError

    def decide(self, X: ArrayLike, cost_matrix: ArrayLike) -> Array:
        """Predict the class of least expected cost for each row of X, shape (n,).

        Rows of the cost matrix (r, r), as from `moselect.cost_matrix`, are true classes,
        columns predicted ones.
        """
        proba = self.predict_proba(X)
        costs = in_class_order(
            "cost_matrix", cost_matrix, self.classes_, guessed=self._guessed
        )
        costs = check_cost_matrix(costs, len(self.classes_))
        if self._in_order:
            costs = costs_in_order(costs)
        # Expected costs (n, r) of all decisions: P times C.
        return self.classes_[(proba @ costs).argmin(axis=1)]

    def operators(self, X: Result) -> Result:
        """Convert to operators, from features (n, p) to class probabilities (n, r)."""
        raise ValueError(f"{type(self).__name__} has no form as a graph")

    def to_predictor(self) -> Model:
        """Convert to a frozen model that predicts the most probable class."""
        scorer: GraphScorer | ClassifierScorer = ClassifierScorer(self)
        # An ensemble with a model of another package has no graph.
        with suppress(ValueError):
            scorer = GraphScorer.of(self)
        return Model(scorer, self.classes_, LeastCost())
