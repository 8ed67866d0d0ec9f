"""Trees of the ensemble: of histograms and of exact splits, boosted or extremely randomised.

Trees are converted to operators in double precision from private attributes of
scikit-learn, as converters do; these exist for single precision only, and not for
categories.
"""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn import config_context
from sklearn.base import BaseEstimator, clone
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from sklearn.utils import check_random_state

from moselect._types import Directions, Floats, Integers, RandomState
from moselect.budgets import ENSEMBLE
from moselect.metrics.scorers import predicted_probabilities
from moselect.models.ordinal_classifier import CumulativeModel
from moselect.operators.graph import Result, concatenated
from moselect.operators.trees import N_CATEGORIES, Trees, joined
from moselect.samples.training import (
    RankRegressor,
    features_to_predict,
    validated_samples,
)
from moselect.validation import at_rows

# names of features, splits and children in scikit-learn's nodes
HISTOGRAM = ("feature_idx", "num_threshold", "left", "right")
ELSE = N_CATEGORIES - 1  # code of a category not seen in training

FEW = {"learning_rate": 0.06, "min_samples_leaf": 10}
MANY = {"learning_rate": 0.1, "max_leaf_nodes": 15}


class HistogramTrees(BaseEstimator):  # type: ignore[misc]
    """Base class of boosted trees of histograms, fitted to at most 20,000 rows.

    Scikit-learn does the fitting, with settings for at most 5,000 rows and for more.

    Parameters
    ----------
    categorical_features : sequence of int, optional
        Columns that hold codes of categories, at most 255 each.
    monotone : sequence of {1, -1, 0}, optional
        Direction of each feature.
    random_state : int, RandomState or None, default=None
        Seed.
    """

    trees: type[Any]
    few_rows: dict[str, Any]
    many_rows: dict[str, Any]

    def __init__(
        self,
        *,
        categorical_features: object = None,
        monotone: Directions = None,
        random_state: RandomState = None,
    ) -> None:
        self.categorical_features = categorical_features
        self.monotone = monotone
        self.random_state = random_state

    def _fit_trees(
        self, values: Floats, target: Floats | Integers, weights: Floats | None
    ) -> Any:
        """Fit the trees to the rows, or to a random subsample."""
        rows: Any = slice(None)
        if len(values) > ENSEMBLE.histogram_rows:
            drawn = check_random_state(self.random_state).permutation(len(values))
            rows = np.sort(drawn[: ENSEMBLE.histogram_rows])
        if len(values) > ENSEMBLE.deep_tree_rows:
            settings = self.many_rows
        else:
            settings = self.few_rows
        return self.trees(
            categorical_features=self.categorical_features,
            monotonic_cst=self.monotone,
            random_state=self.random_state,
            early_stopping=False,
            **settings,
        ).fit(values[rows], target[rows], at_rows(weights, rows))


class HistogramRanks(RankRegressor, HistogramTrees):
    """Fit boosted regression trees of histograms to ranks.

    200 trees of 12 leaves, learning rate 0.06; above 5,000 rows 600 of 15 leaves,
    learning rate 0.1. Parameters are those of `HistogramTrees`.

    Attributes
    ----------
    model_ : HistGradientBoostingRegressor
        The fitted trees.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    Examples
    --------
    >>> X, ranks = np.arange(80.0)[:, None], np.repeat([1, 2], 40)
    >>> HistogramRanks(random_state=1).fit(X, ranks).predict([[3.0], [76.0]]).round(2)
    array([1., 2.])
    """

    trees = HistGradientBoostingRegressor
    few_rows = FEW | {"max_leaf_nodes": 12, "max_iter": 200}
    many_rows = MANY | {"max_iter": 600}

    def _fit(self, values: Floats, ranks: Floats, weights: Floats | None) -> None:
        self.model_ = self._fit_trees(values, ranks, weights)

    def operators(self, X: Result) -> Result:
        """Convert to operators, from features (n, p) to ranks (n, 1)."""
        return histogram_sums(X, self.model_)


class BoostedClasses(CumulativeModel, HistogramTrees):
    """Fit boosted trees of histograms to the classes.

    100 rounds of a tree of 8 leaves for each class, learning rate 0.06; above 5,000 rows
    150 of 15 leaves, learning rate 0.1. Parameters are those of `HistogramTrees`.

    Attributes
    ----------
    model_ : HistGradientBoostingClassifier or None
        The fitted trees; with directions and several classes None, and ``estimators_`` are
        the trees of each boundary.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    Examples
    --------
    >>> X = np.arange(60.0)[:, None]
    >>> model = BoostedClasses(random_state=1).fit(X, np.arange(60) // 20)
    >>> model.predict([[5.0], [30.0], [55.0]])
    array([0, 1, 2])
    """

    trees = HistGradientBoostingClassifier
    few_rows = FEW | {"max_leaf_nodes": 8, "max_iter": 100}
    many_rows = MANY | {"max_iter": 150}
    model_: Any

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit the trees to features (n, p) and ordinal labels (n,)."""
        samples = validated_samples(self, X, y, sample_weight)
        # With directions and several classes each boundary has its own trees: softmax
        # scores have no monotone form.
        self.model_ = None
        if self._in_order and len(np.unique(samples.codes)) > 2:
            return super().fit(X, y, sample_weight)
        self.model_ = self._fit_trees(samples.X, samples.codes, samples.weights)
        return self

    def _fit_above(
        self, values: Floats, above: Integers, weights: Floats | None
    ) -> list[Any]:
        return [self._fit_trees(values, each, weights) for each in above.T]

    def _operators_above(self, X: Result, estimator: object) -> Result:
        return histogram_sums(X, estimator).apply("Sigmoid")

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities, shape (n, r)."""
        if self.model_ is None:
            return super().predict_proba(X)
        values = features_to_predict(self, X)
        return predicted_probabilities(self.model_, values, np.arange(len(self.classes_)))

    def operators(self, X: Result) -> Result:
        """Convert to operators, from features (n, p) to class probabilities (n, r)."""
        model = self.model_
        if model is None:
            return super().operators(X)
        if model.n_trees_per_iteration_ == 1:
            # Two classes have one raw score, their log-odds; more have one a class.
            above = histogram_sums(X, model).apply("Sigmoid")
            proba = concatenated([1.0 - above, above])
        else:
            proba = histogram_sums(X, model).apply("Softmax", axis=1)
        return proba @ np.eye(len(self.classes_))[model.classes_]


def histogram_sums(X: Result, model: Any) -> Result:
    """Compute raw predictions (n, k) of histogram gradient boosting."""
    if model.is_categorical_ is not None:
        X = _recoded(X, model)
    trees = []
    for round_ in model._predictors:
        for column, predictor in enumerate(round_):
            nodes = predictor.nodes
            is_leaf = nodes["is_leaf"].astype(bool)
            tree = converted_tree(
                is_leaf, nodes, HISTOGRAM, nodes["value"][is_leaf], column
            )
            inner = nodes[~is_leaf]
            is_set = inner["is_categorical"].astype(bool)
            if is_set.any():
                # scikit-learn keeps sets of categories as bits of 32-bit integers.
                bits = predictor.raw_left_cat_bitsets[inner["bitset_idx"][is_set]]
                known = np.unpackbits(
                    bits.astype("<u4").view(np.uint8), axis=1, bitorder="little"
                )
                # The last column is the code of a category not seen in training: where it
                # goes is where gaps go.
                members = np.column_stack([known, inner["missing_go_to_left"][is_set]])
                tree = tree._replace(
                    sets=np.where(is_set, np.cumsum(is_set) - 1, -1),
                    members=members.astype(np.uint8),
                )
            trees.append(tree)
    sums = X.sum_trees(joined(trees))
    return sums + np.ravel(model._baseline_prediction)[None, :]


def converted_tree(
    is_leaf: Any, nodes: Any, names: Sequence[str], values: object, column: int
) -> Trees:
    """Return one tree, its leaves counted apart from the other nodes.

    ``names`` of features, splits and children in the ``nodes``.
    """
    # Inner nodes are numbered 0, 1, ..., leaves -1, -2, ..., in the order of
    # scikit-learn.
    place = np.where(is_leaf, -np.cumsum(is_leaf), np.cumsum(~is_leaf) - 1)
    features, splits, below, above = (nodes[name][~is_leaf] for name in names)
    return Trees.of(features, splits, place[below], place[above], values, column)


def _recoded(X: Result, model: Any) -> Result:
    """Encode features as histogram boosting does: categories first, as indices."""
    coded = model.is_categorical_
    encoder = model._preprocessor.named_transformers_["encoder"]
    categories = np.flatnonzero(coded)
    numbers = np.flatnonzero(~coded)
    parts = []
    for j, known in zip(categories, encoder.categories_, strict=True):
        # codes from -1 on, and one for others
        table = np.full(int(known.max()) + 3, float(ELSE))
        # Codes begin at -1, so places begin at 0; a code without a category leads to the
        # last one.
        table[known.astype(np.int64) + 1] = np.arange(len(known))
        code = X.columns([int(j)]).cast("int64") + np.int64(1)
        place = code.apply("Min", np.int64(len(table) - 1))
        parts.append(X.graph.add("Gather", table, place))
    if len(numbers):
        parts.append(X.columns(numbers))
    return concatenated(parts)


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
            self.model_ = histograms.fit(values, ranks, weights).model_
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
            return histogram_sums(X, model)
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
