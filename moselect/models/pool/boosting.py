"""Boosted trees of the ranks, and, for many rows, of the classes by histograms."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn import config_context
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
from moselect.models.training import (
    OrdinalClassifier,
    features_and_codes,
    features_to_predict,
)

MOST_ROWS = 5_000  # histograms are as good above, and many times faster
MOST_BINNED = 20_000  # rows of which histograms are made: of more, as many are drawn
RATE, DEPTH, SHARE, LEAF = 0.1, 4, 0.6, 5
RANKS_OF_FEW = {
    "max_leaf_nodes": 12,
    "learning_rate": 0.06,
    "min_samples_leaf": 10,
    "max_iter": 200,
}
RANKS_OF_MANY = {"max_leaf_nodes": 15, "learning_rate": 0.1, "max_iter": 600}
CLASSES_OF_FEW = {
    "max_leaf_nodes": 8,
    "learning_rate": 0.06,
    "min_samples_leaf": 10,
    "max_iter": 100,
}
CLASSES_OF_MANY = {"max_leaf_nodes": 15, "learning_rate": 0.1, "max_iter": 150}


class _Ranks(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Trees that are fitted to ranks."""

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit the trees to features (n, p) and ranks (n,)."""
        values, ranks = validate_data(
            self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2
        )
        self.model_ = self._fit(values, ranks, check_weights(sample_weight, len(ranks)))
        return self

    def predict(self, X: ArrayLike) -> Floats:
        """Predict ranks, shape (n,)."""
        check_is_fitted(self)
        values = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(self.model_.predict(values))

    def _fit(self, values: Floats, ranks: Floats, weights: Floats | None) -> Any:
        raise NotImplementedError


class BoostedRanks(_Ranks):
    """Fit boosted regression trees, to more than 5,000 rows as `HistogramRanks`.

    Trees of depth 4 with at least 5 samples a leaf, learning rate 0.1, each on a random
    60 % of the samples and of the features at each split. Scikit-learn does the fitting.

    Parameters
    ----------
    n_rounds : int, default=100
        Number of trees; above 5,000 rows `HistogramRanks` has its own.
    random_state : int, RandomState or None, default=None
        Seed.
    """

    def __init__(self, n_rounds: int = 100, *, random_state: Any = None) -> None:
        self.n_rounds = n_rounds
        self.random_state = random_state

    def _fit(self, values: Floats, ranks: Floats, weights: Floats | None) -> Any:
        if len(ranks) > MOST_ROWS:
            return HistogramRanks(random_state=self.random_state).fit(
                values, ranks, weights
            )
        trees = GradientBoostingRegressor(
            n_estimators=self.n_rounds,
            learning_rate=RATE,
            max_depth=DEPTH,
            subsample=SHARE,
            max_features=SHARE,
            min_samples_leaf=LEAF,
            random_state=self.random_state,
        )
        # Checked already: trees of few rows are grown in less time than they are checked.
        with config_context(skip_parameter_validation=True, assume_finite=True):
            return trees.fit(values, ranks, sample_weight=weights)


class HistogramRanks(_Ranks):
    """Fit boosted regression trees of histograms, to at most 20,000 rows.

    200 trees of 12 leaves, learning rate 0.06; above 5,000 rows 600 of 15 leaves,
    learning rate 0.1. Scikit-learn does the fitting.

    Parameters
    ----------
    categorical_features : sequence of int, optional
        Columns that hold codes of categories, at most 255 each.
    random_state : int, RandomState or None, default=None
        Seed.
    """

    def __init__(
        self, *, categorical_features: Any = None, random_state: Any = None
    ) -> None:
        self.categorical_features = categorical_features
        self.random_state = random_state

    def _fit(self, values: Floats, ranks: Floats, weights: Floats | None) -> Any:
        settings = RANKS_OF_MANY if len(ranks) > MOST_ROWS else RANKS_OF_FEW
        return _histograms(
            HistGradientBoostingRegressor, self, settings, values, ranks, weights
        )


class BoostedClasses(OrdinalClassifier):
    """Fit boosted trees of histograms to the classes, at most 20,000 rows of them.

    100 rounds of a tree of 8 leaves for each class, learning rate 0.06; above 5,000 rows
    150 of 15 leaves, learning rate 0.1. Scikit-learn does the fitting.

    Parameters
    ----------
    categorical_features : sequence of int, optional
        Columns that hold codes of categories, at most 255 each.
    random_state : int, RandomState or None, default=None
        Seed.
    labels : sequence, optional
        Class labels, lowest first. Strings need it unless they are an ordered
        Categorical.
    """

    def __init__(
        self,
        *,
        categorical_features: Any = None,
        random_state: Any = None,
        labels: Any = None,
    ) -> None:
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.labels = labels

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit the trees to features (n, p) and ordinal labels (n,)."""
        values, codes = features_and_codes(self, X, y)
        weights = check_weights(sample_weight, len(codes))
        settings = CLASSES_OF_MANY if len(codes) > MOST_ROWS else CLASSES_OF_FEW
        kind = HistGradientBoostingClassifier
        self.model_ = _histograms(kind, self, settings, values, codes, weights)
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities, shape (n, r)."""
        check_is_fitted(self)
        values = features_to_predict(self, X)
        return predicted_probabilities(self.model_, values, np.arange(len(self.classes_)))


def _histograms(
    kind: Any, of: Any, settings: Any, values: Floats, target: Any, weights: Floats | None
) -> Any:
    """Fit trees of histograms to the rows, or to a random part of many."""
    rows: Any = slice(None)
    if len(values) > MOST_BINNED:
        drawn = check_random_state(of.random_state).permutation(len(values))
        rows = np.sort(drawn[:MOST_BINNED])
    fitted = kind(
        categorical_features=of.categorical_features,
        random_state=of.random_state,
        early_stopping=False,
        **settings,
    ).fit(values[rows], target[rows], None if weights is None else weights[rows])
    # Of categories scikit-learn keeps an encoder, and beside it a function that checks the other
    # features, which no file of a model may hold; they are checked here.
    encoder = fitted._preprocessor
    for _, part, _ in (
        () if encoder is None else (*encoder.transformers, *encoder.transformers_)
    ):
        if hasattr(part, "func"):
            part.set_params(func=None)
    return fitted
