"""Boosted trees: of the ranks of the classes, and, for many rows, of the classes by histograms."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.ensemble import (
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from moselect._types import Floats
from moselect._validation import check_weights
from moselect.metrics.scorers import predicted_probabilities
from moselect.models.training import OrdinalClassifier, features_and_codes, features_to_predict

MOST_ROWS = 5_000  # histograms are as good above, and many times faster
MOST_BINNED = 20_000  # rows of which histograms are made: of more, as many are drawn
RATE, DEPTH, SHARE, LEAF = 0.1, 4, 0.6, 5
OF_RANKS = {"learning_rate": 0.05, "max_leaf_nodes": 31, "early_stopping": False}
OF_CLASSES = {"learning_rate": 0.06, "max_leaf_nodes": 31, "early_stopping": False}


class BoostedRanks(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Fit boosted regression trees, of histograms if there are more than 5,000 rows.

    Trees of depth 4 with at least 5 samples a leaf, learning rate 0.1, each on a random 60 % of
    the samples and of the features at each split. Of histograms there are eight times as many, of
    31 leaves, with learning rate 0.05, to at most 20,000 rows. Scikit-learn does the fitting.

    Parameters
    ----------
    n_rounds : int, default=100
        Number of trees; eight times as many of histograms.
    histograms : bool, optional
        Whether trees are of histograms; by default above 5,000 rows.
    random_state : int, RandomState or None, default=None
        Seed.
    """

    def __init__(
        self, n_rounds: int = 100, *, histograms: bool | None = None, random_state: Any = None
    ) -> None:
        self.n_rounds = n_rounds
        self.histograms = histograms
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the trees to features (n, p) and ranks (n,)."""
        values, ranks = validate_data(
            self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2
        )
        weights = check_weights(sample_weight, len(ranks))
        binned = len(ranks) > MOST_ROWS if self.histograms is None else self.histograms
        if binned:
            model: Any = HistGradientBoostingRegressor(
                max_iter=8 * self.n_rounds, random_state=self.random_state, **OF_RANKS
            )
            rows = _drawn(len(ranks), self.random_state)
            values, ranks = values[rows], ranks[rows]
            weights = None if weights is None else weights[rows]
        else:
            model = GradientBoostingRegressor(
                n_estimators=self.n_rounds,
                learning_rate=RATE,
                max_depth=DEPTH,
                subsample=SHARE,
                max_features=SHARE,
                min_samples_leaf=LEAF,
                random_state=self.random_state,
            )
        self.model_ = model.fit(values, ranks, sample_weight=weights)
        return self

    def predict(self, X: ArrayLike) -> Floats:
        """Predict ranks, shape (n,)."""
        check_is_fitted(self)
        values = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(self.model_.predict(values))


class BoostedClasses(OrdinalClassifier):
    """Fit boosted trees of histograms to the classes, at most 20,000 rows of them.

    Trees of 31 leaves, one a class and round, learning rate 0.06; scikit-learn does the fitting.

    Parameters
    ----------
    n_rounds : int, default=120
        Number of trees of each class.
    random_state : int, RandomState or None, default=None
        Seed.
    labels : sequence, optional
        Class labels, lowest first. Strings need it unless they are an ordered Categorical.
    """

    def __init__(
        self, n_rounds: int = 120, *, random_state: Any = None, labels: Any = None
    ) -> None:
        self.n_rounds = n_rounds
        self.random_state = random_state
        self.labels = labels

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the trees to features (n, p) and ordinal labels (n,)."""
        values, codes = features_and_codes(self, X, y)
        weights = check_weights(sample_weight, len(codes))
        rows = _drawn(len(codes), self.random_state)
        self.model_ = HistGradientBoostingClassifier(
            max_iter=self.n_rounds, random_state=self.random_state, **OF_CLASSES
        ).fit(values[rows], codes[rows], None if weights is None else weights[rows])
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities, shape (n, r)."""
        check_is_fitted(self)
        values = features_to_predict(self, X)
        return predicted_probabilities(self.model_, values, np.arange(len(self.classes_)))


def _drawn(n_rows: int, random_state: Any) -> Any:
    """Return the rows to fit: all, or a random part of many."""
    if n_rows <= MOST_BINNED:
        return slice(None)
    return np.sort(check_random_state(random_state).permutation(n_rows)[:MOST_BINNED])
