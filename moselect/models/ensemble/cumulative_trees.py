"""Tree ensembles for cumulative indicators: extremely randomised trees, and boosted ones."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesRegressor, HistGradientBoostingClassifier

from moselect._types import (
    Classifier,
    Directions,
    Floats,
    Integers,
    LabelOrder,
    RandomState,
)
from moselect.models.ensemble.boosting import HistogramClassifier, fit_histograms
from moselect.models.ensemble.tree_operators import histogram_sums, mean_of_trees, rounded
from moselect.models.ordinal_classifier import CumulativeModel, OrdinalClassifier
from moselect.operators.graph import Result, at_all_classes, concatenated
from moselect.predictor.score_calibration import class_shares, descending
from moselect.samples.training import features_to_predict, weighted_training_set


class OrdinalExtraTrees(OrdinalClassifier):
    """Estimate P(y > k) for all k by one forest of multi-output extra trees.

    Each tree splits for all indicators y > k together, in at most 5,000 samples, drawn
    for each tree; leaves have at least 3. P(y > k) is made to descend with k, row by row.

    Parameters
    ----------
    n_trees : int, default=60
        Number of trees.
    monotone : sequence of {1, -1, 0}, optional
        Direction of each feature; with it each k has a forest of its own.
    random_state : int, RandomState or None, default=None
        Seed.
    labels : sequence, optional
        Class labels, lowest first. Required for strings unless they are an ordered
        Categorical. Classes without training samples get probability 0.

    Attributes
    ----------
    forests_ : list of ExtraTreesRegressor
        The fitted forest; with directions and several classes a forest for each k.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    References
    ----------
    Geurts, Ernst & Wehenkel (2006), Extremely randomized trees, Machine Learning 63:3-42.

    Examples
    --------
    >>> X = np.arange(60.0)[:, None]
    >>> model = OrdinalExtraTrees(random_state=1).fit(X, np.arange(60) // 20)
    >>> model.predict([[5.0], [30.0], [55.0]])
    array([0, 1, 2])
    """

    def __init__(
        self,
        n_trees: int = 60,
        *,
        monotone: Directions = None,
        random_state: RandomState = None,
        labels: LabelOrder = None,
    ) -> None:
        self.n_trees = n_trees
        self.monotone = monotone
        self.random_state = random_state
        self.labels = labels

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit the forest to features (n, p) and ordinal labels (n,)."""
        training_set = weighted_training_set(self, X, y, sample_weight)
        values, codes, weights, self._observed = training_set
        # One forest for all indicators y > k: every split serves all boundaries.
        targets = [(codes[:, None] > np.arange(codes.max())).astype(np.float64)]
        n_trees = self.n_trees
        if self._in_order and codes.max() > 1:
            # Forests keep directions of a single target: each k has one, of half the trees.
            targets = [target[:, None] for target in targets[0].T]
            n_trees = -(-n_trees // 2)
        # largest subsample of a tree
        most_rows = 5_000
        # Bootstrap samples of fixed size bound the time of a tree; smaller data are used
        # in full.
        is_large = len(codes) > most_rows
        forest = ExtraTreesRegressor(
            n_trees,
            min_samples_leaf=3,
            max_features=0.7,
            bootstrap=is_large,
            max_samples=most_rows if is_large else None,
            monotonic_cst=self.monotone,
            random_state=self.random_state,
        )
        self.forests_ = [
            # A single target is a vector for scikit-learn.
            clone(forest).fit(values, target.squeeze(), weights)
            for target in targets
        ]
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities, shape (n, r)."""
        values = features_to_predict(self, X)
        # Without joblib, whose overhead exceeds the time of small trees.
        # Trees compare in float32, as in their fit.
        rows = values.astype(np.float32)
        above = []
        for trees in (forest.estimators_ for forest in self.forests_):
            sums = sum(tree.tree_.predict(rows) for tree in trees)
            above.append(sums.reshape(len(values), -1) / len(trees))
        predicted = descending(np.clip(np.column_stack(above), 0.0, 1.0))
        return class_shares(self._observed.at_all_boundaries(predicted, 1.0, 0.0))

    def operators(self, X: Result) -> Result:
        """Convert to operators, from features (n, p) to class probabilities (n, r)."""
        forests = (forest.estimators_ for forest in self.forests_)
        above = concatenated([mean_of_trees(rounded(X), trees) for trees in forests])
        return at_all_classes(above.clip(0.0, 1.0), *self._observed)


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
