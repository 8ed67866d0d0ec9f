"""Trees of the ensemble: boosted trees of histograms, and extremely randomised trees.

Trees are converted to operators in double precision from private attributes of
scikit-learn, as converters do; these exist for single precision only, and not for
categories.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesRegressor, HistGradientBoostingRegressor
from sklearn.utils import check_random_state

from moselect._types import Directions, Floats, Integers, RandomState
from moselect.budgets import ENSEMBLE
from moselect.models.ordinal_classifier import CumulativeModel
from moselect.operators.graph import Result, concatenated
from moselect.operators.trees import N_CATEGORIES, Trees, joined
from moselect.samples.training import RankRegressor
from moselect.validation import at_rows

# names of features, splits and children in scikit-learn's nodes
HISTOGRAM = ("feature_idx", "num_threshold", "left", "right")
ELSE = N_CATEGORIES - 1  # code of a category not seen in training

# Settings of the trees for few and for many rows (experiments/ablation, experiments/benchmarks).
FEW = {"learning_rate": 0.15, "max_leaf_nodes": 8, "max_iter": 60, "min_samples_leaf": 10}
MANY = {"learning_rate": 0.1, "max_leaf_nodes": 15, "max_iter": 600}


class BoostedRanks(RankRegressor):
    """Fit boosted regression trees of histograms to ranks, of at most 20,000 rows.

    60 trees of 8 leaves with at least 10 samples, learning rate 0.15; above 5,000 rows 600 of
    15 leaves, learning rate 0.1. Scikit-learn does the fitting.

    Parameters
    ----------
    categorical_features : sequence of int, optional
        Columns that hold codes of categories, at most 255 each.
    monotone : sequence of {1, -1, 0}, optional
        Direction of each feature.
    random_state : int, RandomState or None, default=None
        Seed.

    Attributes
    ----------
    model_ : HistGradientBoostingRegressor
        The fitted trees.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    Examples
    --------
    >>> X, ranks = np.arange(80.0)[:, None], np.repeat([1, 2], 40)
    >>> BoostedRanks(random_state=1).fit(X, ranks).predict([[3.0], [76.0]]).round(2)
    array([1., 2.])
    """

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

    def _fit(self, values: Floats, ranks: Floats, weights: Floats | None) -> None:
        rows: Any = slice(None)
        if len(values) > ENSEMBLE.histogram_rows:
            drawn = check_random_state(self.random_state).permutation(len(values))
            rows = np.sort(drawn[: ENSEMBLE.histogram_rows])
        trees = HistGradientBoostingRegressor(
            categorical_features=self.categorical_features,
            monotonic_cst=self.monotone,
            random_state=self.random_state,
            early_stopping=False,
        )
        trees.set_params(**(MANY if len(values) > ENSEMBLE.deep_tree_rows else FEW))
        self.model_ = trees.fit(values[rows], ranks[rows], at_rows(weights, rows))

    def operators(self, X: Result) -> Result:
        """Convert to operators, from features (n, p) to ranks (n, 1)."""
        return histogram_sums(X, self.model_)


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
