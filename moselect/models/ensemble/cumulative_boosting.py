"""`CumulativeBoosting`: boosted trees of histograms for each class boundary."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.ensemble import HistGradientBoostingClassifier

from moselect._types import Floats
from moselect.models.ensemble.boosting import fit_histograms
from moselect.models.ensemble.tree_operators import histogram_sums
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

SETTINGS = {
    "learning_rate": 0.06,
    "max_iter": 150,
    "max_leaf_nodes": 15,
    "min_samples_leaf": 5,
}


class CumulativeBoosting(OrdinalClassifier):
    """Estimate P(y > k) for each k by boosted trees of histograms.

    150 trees of 15 leaves with at least 5 samples for each boundary, learning rate 0.06,
    fitted to at most 20,000 rows. P(y > k) is made to descend with k. Rules of categories,
    such as hierarchies and parities, are learnt from few rows. Scikit-learn does the
    fitting.

    Parameters
    ----------
    categorical_features : sequence of int, optional
        Columns that hold codes of categories, at most 255 each.
    monotone : sequence of {1, -1, 0}, optional
        Direction of each feature.
    random_state : int, RandomState or None, default=None
        Seed.
    labels : sequence, optional
        Class labels, lowest first. Required for strings unless they are an ordered
        Categorical. Classes without training samples get probability 0.

    References
    ----------
    Frank & Hall (2001), A simple approach to ordinal classification, ECML.

    Examples
    --------
    >>> X = np.arange(60.0)[:, None]
    >>> model = CumulativeBoosting(random_state=1).fit(X, np.arange(60) // 20)
    >>> model.predict([[5.0], [30.0], [55.0]])
    array([0, 1, 2])
    """

    def __init__(
        self,
        *,
        categorical_features: Any = None,
        monotone: Any = None,
        random_state: Any = None,
        labels: Any = None,
    ) -> None:
        self.categorical_features = categorical_features
        self.monotone = monotone
        self.random_state = random_state
        self.labels = labels

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit the trees to features (n, p) and ordinal labels (n,)."""
        values, codes = features_and_codes(self, X, y)
        weights = check_weights(sample_weight, len(codes))
        counted: Any = slice(None) if weights is None else weights > 0.0
        self._observed, codes = observed_classes(self.classes_, codes[counted])
        used = None if weights is None else weights[counted]
        self.models_ = [
            fit_histograms(
                HistGradientBoostingClassifier,
                self,
                values[counted],
                codes > k,
                used,
                SETTINGS,
            )
            for k in range(codes.max())
        ]
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities, shape (n, r)."""
        values = features_to_predict(self, X)
        above = [model.predict_proba(values)[:, 1] for model in self.models_]
        predicted = descending(np.column_stack(above))
        return class_shares(self._observed.at_all_boundaries(predicted, 1.0, 0.0))

    def operators(self, X: Result) -> Result:
        """Convert to operators, from features (n, p) to class probabilities (n, r)."""
        above = [histogram_sums(X, model).apply("Sigmoid") for model in self.models_]
        return of_seen_classes(beside(above), *self._observed)
