"""Trees with exact splits: boosted on ranks, and extremely randomised on all P(y > k)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.base import clone
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingRegressor,
)

from moselect._types import Directions, Floats, Integers, RandomState
from moselect.budgets import ENSEMBLE
from moselect.models.ensemble.histogram_trees import (
    HistogramRanks,
    converted_tree,
    histogram_sums,
)
from moselect.models.ordinal_classifier import CumulativeModel
from moselect.operators.graph import Result
from moselect.operators.trees import Trees, joined
from moselect.samples.training import RankRegressor

# names of features, splits and children in the nodes of scikit-learn's exact trees
EXACT = ("feature", "threshold", "children_left", "children_right")
# Share of the samples of a tree, and of the features of a split: draws of both make
# trees differ.
DRAWN_SHARE = 0.6


class BoostedRanks(RankRegressor):
    """Fit boosted regression trees, to more than 5,000 rows as `HistogramRanks`.

    Trees of depth 4 with at least 5 samples a leaf, learning rate 0.1, each on a random
    60 % of the samples and of the features at each split. Scikit-learn does the fitting.

    Parameters
    ----------
    n_rounds : int, default=100
        Number of trees; above 5,000 rows `HistogramRanks` has its own.
    monotone : sequence of {1, -1, 0}, optional
        Direction of each feature; with it histograms make the splits, of all samples.
    random_state : int, RandomState or None, default=None
        Seed.

    Attributes
    ----------
    model_ : regressor
        The fitted trees.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    Examples
    --------
    >>> X, ranks = np.arange(40.0)[:, None], np.repeat([1, 2], 20)
    >>> BoostedRanks(random_state=1).fit(X, ranks).predict([[3.0], [36.0]]).round(2)
    array([1., 2.])
    """

    def __init__(
        self,
        n_rounds: int = 100,
        *,
        monotone: Directions = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_rounds = n_rounds
        self.monotone = monotone
        self.random_state = random_state

    def _fit(self, values: Floats, ranks: Floats, weights: Floats | None) -> None:
        if len(ranks) > ENSEMBLE.deep_tree_rows:
            histograms = HistogramRanks(
                monotone=self.monotone, random_state=self.random_state
            )
            self.model_ = histograms.fit(values, ranks, weights)
            return
        settings = {
            "learning_rate": 0.1,
            "max_depth": 4,
            "max_features": DRAWN_SHARE,
            "min_samples_leaf": 5,
            "random_state": self.random_state,
        }
        trees: Any = GradientBoostingRegressor(
            n_estimators=self.n_rounds, subsample=DRAWN_SHARE, **settings
        )
        if self.monotone is not None:  # only histograms take directions
            trees = HistGradientBoostingRegressor(
                max_iter=self.n_rounds,
                early_stopping=False,
                monotonic_cst=self.monotone,
                **settings,
            )
        # Input is validated already; for small trees validation would take longer than
        # the fit.
        with config_context(skip_parameter_validation=True, assume_finite=True):
            self.model_ = trees.fit(values, ranks, sample_weight=weights)

    def operators(self, X: Result) -> Result:
        """Convert to operators, from features (n, p) to ranks (n, 1)."""
        model: Any = self.model_
        # Histograms, of many rows or with directions.
        if not isinstance(model, GradientBoostingRegressor):
            return histogram_sums(X, getattr(model, "model_", model))
        trees, values = grown_trees(model.estimators_[:, 0])
        # The ensemble is the initial constant plus the learning rate times the leaves.
        steps = trees._replace(
            values=model.learning_rate * values[:, 0],
            targets=np.zeros_like(trees.targets),
            n_targets=1,
        )
        # scikit-learn splits float32 values, so thresholds hold for rounded features.
        return rounded(X).sum_trees(steps) + float(np.ravel(model.init_.constant_)[0])


class OrdinalExtraTrees(CumulativeModel):
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

    Attributes
    ----------
    estimators_ : list of ExtraTreesRegressor
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
    ) -> None:
        self.n_trees = n_trees
        self.monotone = monotone
        self.random_state = random_state

    def _fit_above(
        self, values: Floats, above: Integers, weights: Floats | None
    ) -> list[Any]:
        # One forest for all indicators y > k: every split serves all boundaries.
        targets = [above.astype(np.float64)]
        n_trees = self.n_trees
        if self._in_order and above.shape[1] > 1:
            # Forests keep directions of a single target: each k has one, of half the trees.
            targets = list(targets[0].T)
            n_trees = -(-n_trees // 2)
        # Bootstrap samples of fixed size bound the time of a tree; smaller data are used
        # in full.
        is_large = len(values) > ENSEMBLE.rows
        forest = ExtraTreesRegressor(
            n_trees,
            min_samples_leaf=3,
            max_features=0.7,
            bootstrap=is_large,
            max_samples=ENSEMBLE.rows if is_large else None,
            monotonic_cst=self.monotone,
            random_state=self.random_state,
        )
        return [
            # A single target is a vector for scikit-learn.
            clone(forest).fit(values, target.squeeze(), weights)
            for target in targets
        ]

    def _above(self, values: Floats, estimator: Any) -> Floats:
        # Without joblib, whose overhead exceeds the time of small trees.
        # Trees compare in float32, as in their fit.
        rows = values.astype(np.float32)
        trees = estimator.estimators_
        sums = sum(tree.tree_.predict(rows) for tree in trees)
        return np.clip(sums.reshape(len(values), -1) / len(trees), 0.0, 1.0)

    def _operators_above(self, X: Result, estimator: Any) -> Result:
        return mean_of_trees(rounded(X), estimator.estimators_).clip(0.0, 1.0)


def rounded(X: Result) -> Result:
    """Round features to single precision, in which scikit-learn's trees compare them."""
    return X.cast("float").cast("double")


def grown_trees(estimators: Sequence[Any]) -> tuple[Trees, Floats]:
    """Convert regression trees, each to a column, and the values (leaves, k) of their leaves."""
    trees = []
    values = []
    for column, tree in enumerate(estimator.tree_ for estimator in estimators):
        nodes = {name: getattr(tree, name) for name in EXACT}
        is_leaf = tree.children_left < 0
        # A forest for several indicators has a value for each; the first axis is the
        # leaf.
        values.append(tree.value[is_leaf, :, 0])
        trees.append(
            converted_tree(is_leaf, nodes, EXACT, np.zeros(is_leaf.sum()), column)
        )
    return joined(trees), np.concatenate(values)


def mean_of_trees(X: Result, estimators: Sequence[object]) -> Result:
    """Average the predictions (n, k) of all trees."""
    trees, values = grown_trees(estimators)
    # A leaf holds one number: the row of its values in a table.
    # One pass finds the leaf of every tree, whichever the number of indicators.
    leaf = X.sum_trees(trees._replace(values=np.arange(float(len(values)))))
    leaf_values = X.graph.add("Gather", values / len(estimators), leaf.cast("int64"))
    return leaf_values.apply("ReduceSum", np.array([1]), keepdims=0)
