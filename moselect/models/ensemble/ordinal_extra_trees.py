"""`OrdinalExtraTrees`: extremely randomised trees for all cumulative indicators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.ensemble import ExtraTreesRegressor

from moselect._types import Floats
from moselect.models.ensemble.tree_operators import mean_of_trees, rounded
from moselect.operators.graph import Result
from moselect.operators.probabilities import of_seen_classes
from moselect.predictor.class_probabilities import class_shares, descending
from moselect.samples.training import (
    OrdinalClassifier,
    features_and_codes,
    features_to_predict,
    observed_classes,
)
from moselect.samples.validation import check_weights

SMALLEST_LEAF = 3
MOST_ROWS = 5_000  # largest subsample of a tree
SHARE_OF_FEATURES = 0.7


class OrdinalExtraTrees(OrdinalClassifier):
    """Estimate P(y > k) for all k by one forest of multi-output extra trees.

    Each tree splits for all indicators y > k together, in at most 5,000 samples, drawn
    for each tree; leaves have at least 3. P(y > k) is made to descend with k, row by row.

    Parameters
    ----------
    n_trees : int, default=60
        Number of trees.
    random_state : int, RandomState or None, default=None
        Seed.
    labels : sequence, optional
        Class labels, lowest first. Required for strings unless they are an ordered
        Categorical. Classes without training samples get probability 0.

    References
    ----------
    Geurts, Ernst & Wehenkel (2006), Extremely randomized trees, Machine Learning 63:3-42.
    """

    def __init__(
        self,
        n_trees: int = 60,
        *,
        random_state: Any = None,
        labels: Sequence[Any] | None = None,
    ) -> None:
        self.n_trees = n_trees
        self.random_state = random_state
        self.labels = labels

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit the forest to features (n, p) and ordinal labels (n,)."""
        values, codes = features_and_codes(self, X, y)
        weights = check_weights(sample_weight, len(codes))
        if weights is not None:
            counted = weights > 0.0
            values, codes, weights = values[counted], codes[counted], weights[counted]
        self._observed, codes = observed_classes(self.classes_, codes)
        above = codes[:, None] > np.arange(codes.max())
        is_large = len(codes) > MOST_ROWS
        forest = ExtraTreesRegressor(
            self.n_trees,
            min_samples_leaf=SMALLEST_LEAF,
            max_features=SHARE_OF_FEATURES,
            bootstrap=is_large,
            max_samples=MOST_ROWS if is_large else None,
            random_state=self.random_state,
        )
        target = above.astype(np.float64)
        target = target if target.shape[1] > 1 else target[:, 0]
        self.model_ = forest.fit(values, target, sample_weight=weights)
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities, shape (n, r)."""
        values = features_to_predict(self, X)
        # Without joblib, whose overhead exceeds the time of small trees.
        rows, trees = values.astype(np.float32), self.model_.estimators_
        above = sum(tree.tree_.predict(rows) for tree in trees) / len(trees)
        above = above.reshape(len(values), -1)
        predicted = descending(np.clip(above, 0.0, 1.0))
        return class_shares(self._observed.at_all_boundaries(predicted, 1.0, 0.0))

    def operators(self, X: Result) -> Result:
        """Convert to operators, from features (n, p) to class probabilities (n, r)."""
        above = mean_of_trees(rounded(X), self.model_.estimators_)
        return of_seen_classes(above.clip(0.0, 1.0), *self._observed)
