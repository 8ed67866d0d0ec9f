"""`BoostedRanks`: gradient boosting of regression trees on the ranks of the classes."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingRegressor
from sklearn.utils.validation import check_is_fitted, validate_data

from moselect._types import Floats
from moselect._validation import check_weights

MOST_ROWS = 5_000  # histograms are as good above, and many times faster
RATE, DEPTH, SHARE, LEAF = 0.06, 4, 0.6, 5


class BoostedRanks(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Fit boosted regression trees, of histograms if there are more than 5,000 rows.

    Trees of depth 4 with at least 5 samples a leaf, learning rate 0.06, each on a random 60 % of
    the samples and of the features at each split; scikit-learn does the fitting.

    Parameters
    ----------
    n_rounds : int, default=200
        Number of trees.
    random_state : int, RandomState or None, default=None
        Seed.

    Attributes
    ----------
    model_ : GradientBoostingRegressor or HistGradientBoostingRegressor
        The fitted trees.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(40.0)[:, None]
    >>> model = BoostedRanks(random_state=0).fit(X, np.repeat([1.0, 2.0], 20))
    >>> model.predict([[0.0], [39.0]]).round(1)
    array([1., 2.])
    """

    def __init__(self, n_rounds: int = 200, *, random_state: Any = None) -> None:
        self.n_rounds = n_rounds
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the trees to features (n, p) and ranks (n,)."""
        values, ranks = validate_data(
            self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2
        )
        weights = check_weights(sample_weight, len(ranks))
        if len(ranks) > MOST_ROWS:
            model: Any = HistGradientBoostingRegressor(
                max_iter=self.n_rounds,
                learning_rate=RATE,
                max_depth=DEPTH,
                min_samples_leaf=4 * LEAF,  # its default: bins of many rows are noisy below
                max_features=SHARE,
                early_stopping=False,
                random_state=self.random_state,
            )
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
