"""`CumulativeBoosting`: boosted trees of histograms for each class boundary."""

from __future__ import annotations

from sklearn.ensemble import HistGradientBoostingClassifier

from moselect._protocols import Classifier
from moselect._types import Floats, Integers
from moselect.models.cumulative import CumulativeModel
from moselect.models.ensemble.boosting import HistogramClassifier, fit_histograms
from moselect.models.ensemble.tree_operators import histogram_sums
from moselect.operators.graph import Result

SETTINGS = {
    "learning_rate": 0.06,
    "max_iter": 150,
    "max_leaf_nodes": 15,
    "min_samples_leaf": 5,
}


class CumulativeBoosting(CumulativeModel, HistogramClassifier):
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
    >>> import numpy as np
    >>> X = np.arange(60.0)[:, None]
    >>> model = CumulativeBoosting(random_state=1).fit(X, np.arange(60) // 20)
    >>> model.predict([[5.0], [30.0], [55.0]])
    array([0, 1, 2])
    """

    def _fit_binary(
        self, values: Floats, above: Integers, weights: Floats | None
    ) -> Classifier:
        model_class = HistGradientBoostingClassifier
        return fit_histograms(model_class, self, values, above, weights, SETTINGS)

    def _operators_above(self, X: Result, estimator: object) -> Result:
        return histogram_sums(X, estimator).apply("Sigmoid")
