"""Two families of section 1: a classifier for each cut, and a network with an output for each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from moselect.metrics import expected_class

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


class Cuts(ClassifierMixin, BaseEstimator):
    """Class probabilities and a score from estimates of P(y > k), which need not descend with k."""

    def predict_proba(self, X: Floats) -> Floats:
        """Compute class probabilities (n, r) from the nearest P(y > k) that descend."""
        above = self._above(X)
        for row in np.flatnonzero((np.diff(above, axis=1) > 0.0).any(axis=1)):
            above[row] = isotonic_regression(above[row], increasing=False).x
        ends = np.pad(above, [(0, 0), (1, 1)], constant_values=(1.0, 0.0))
        return ends[:, :-1] - ends[:, 1:]

    def _above(self, X: Floats) -> Floats:
        """Compute the estimates (n, r - 1)."""
        raise NotImplementedError


class FrankHall(Cuts):
    """A clone of a binary classifier for each cut between classes (section 1.5)."""

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Floats, y: Codes) -> FrankHall:
        """Fit to class codes 0 .. r - 1, each with samples."""
        self.classes_ = np.unique(y)
        self.estimators_ = [
            clone(self.estimator).fit(X, (y > cut).astype(np.int64))
            for cut in self.classes_[:-1]
        ]
        return self

    def decision_function(self, X: Floats) -> Floats:
        """Score samples by their expected class, (n,)."""
        return expected_class(self.predict_proba(X))

    def predict(self, X: Floats) -> Codes:
        """Predict the most probable class, (n,)."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def _above(self, X: Floats) -> Floats:
        return np.column_stack(
            [model.predict_proba(X)[:, 1] for model in self.estimators_]
        )


class RankNetwork(Cuts):
    """A perceptron with sigmoid outputs (1, .., 1, 0, .., 0), one for each cut (section 1.4)."""

    def __init__(self, random_state: Any = None) -> None:
        self.random_state = random_state

    def fit(self, X: Floats, y: Codes) -> RankNetwork:
        """Fit to class codes 0 .. r - 1, more than two, each with samples."""
        self.classes_ = np.unique(y)
        network = MLPClassifier(
            (20,),
            activation="logistic",
            alpha=1.0,
            solver="lbfgs",
            max_iter=1000,
            random_state=self.random_state,
        )
        self.network_ = make_pipeline(StandardScaler(), network)
        self.network_.fit(X, (y[:, None] > self.classes_[:-1]).astype(np.int64))
        return self

    def decision_function(self, X: Floats) -> Floats:
        """Score samples by the sum of the outputs, (n,)."""
        return 1.0 + self._above(X).sum(axis=1)

    def predict(self, X: Floats) -> Codes:
        """Predict the class after as many leading outputs as are at least 1/2, (n,)."""
        leading = np.logical_and.accumulate(self._above(X) >= 0.5, axis=1)
        return self.classes_[leading.sum(axis=1)]

    def _above(self, X: Floats) -> Floats:
        return self.network_.predict_proba(X).astype(np.float64)
