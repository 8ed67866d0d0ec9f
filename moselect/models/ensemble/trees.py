"""Boosted trees of histograms: regression on the ranks of the classes, and of all classes.

Trees are converted to operators in double precision from private attributes of
scikit-learn, as converters do; these exist for single precision only, and not for
categories.
"""

from dataclasses import dataclass
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from sklearn.utils import check_random_state

from moselect._types import Directions, Floats, Integers, RandomState
from moselect.budgets import ENSEMBLE
from moselect.metrics.scorers import predicted_probabilities
from moselect.models.ordinal_classifier import OrdinalClassifier
from moselect.operators.graph import Result, concatenated
from moselect.operators.trees import N_CATEGORIES, Trees, joined
from moselect.samples.training import (
    RankRegressor,
    features_to_predict,
    validated_samples,
)
from moselect.validation import at_rows

ELSE = N_CATEGORIES - 1  # code of a category not seen in training

# Settings of few and of many rows (experiments/ablation, experiments/benchmarks).
FEW = {"max_leaf_nodes": 8, "min_samples_leaf": 10}
MANY = {"max_leaf_nodes": 15}

HistogramBoosting: TypeAlias = (
    HistGradientBoostingRegressor | HistGradientBoostingClassifier
)


class HistogramTrees(BaseEstimator):  # type: ignore[misc]
    """Base class of boosted trees of histograms, fitted to at most 20,000 rows.

    Scikit-learn does the fitting, with settings for at most 5,000 rows and for more.
    """

    trees: type[HistogramBoosting]
    few_rows: dict[str, float]
    many_rows: dict[str, float]
    categorical_features: object
    random_state: RandomState

    def _fit_trees(
        self,
        values: Floats,
        target: Floats | Integers,
        weights: Floats | None,
        **settings: object,
    ) -> HistogramBoosting:
        """Fit the trees to the rows, or to a random subsample."""
        rows: Integers | slice = slice(None)
        if len(values) > ENSEMBLE.histogram_rows:
            drawn = check_random_state(self.random_state).permutation(len(values))
            rows = np.sort(drawn[: ENSEMBLE.histogram_rows])
        settings |= self.few_rows
        if len(values) > ENSEMBLE.deep_tree_rows:
            settings |= self.many_rows
        return self.trees(
            categorical_features=self.categorical_features,
            random_state=self.random_state,
            early_stopping=False,
            **settings,
        ).fit(values[rows], target[rows], at_rows(weights, rows))


@dataclass(eq=False, repr=False, kw_only=True)
class BoostedRanks(RankRegressor, HistogramTrees):
    """Fit boosted regression trees of histograms to ranks.

    100 trees of 8 leaves with at least 10 samples, learning rate 0.1; above 5,000 rows 600 of
    15 leaves.

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

    trees = HistGradientBoostingRegressor
    few_rows = FEW | {"learning_rate": 0.1, "max_iter": 100}
    many_rows = MANY | {"learning_rate": 0.1, "max_iter": 600}

    categorical_features: object = None
    monotone: Directions = None
    random_state: RandomState = None

    def _fit(self, values: Floats, ranks: Floats, weights: Floats | None) -> None:
        self.model_ = self._fit_trees(values, ranks, weights, monotonic_cst=self.monotone)

    def operators(self, X: Result) -> Result:
        """Convert to operators, from features (n, p) to ranks (n, 1)."""
        return histogram_sums(X, self.model_)


@dataclass(eq=False, repr=False, kw_only=True)
class BoostedClasses(OrdinalClassifier, HistogramTrees):
    """Fit boosted trees of histograms to the classes, whatever their distribution.

    30 rounds of a tree of 8 leaves with at least 10 samples for each class, learning rate
    0.2; above 5,000 rows 100 of 15 leaves, rate 0.15. Directions of features cannot be kept:
    softmax scores have no monotone form.

    Parameters
    ----------
    categorical_features : sequence of int, optional
        Columns that hold codes of categories, at most 255 each.
    random_state : int, RandomState or None, default=None
        Seed.

    Attributes
    ----------
    model_ : HistGradientBoostingClassifier
        The fitted trees.
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
    few_rows = FEW | {"learning_rate": 0.2, "max_iter": 30}
    many_rows = MANY | {"learning_rate": 0.15, "max_iter": 100}

    categorical_features: object = None
    random_state: RandomState = None

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit the trees to features (n, p) and ordinal labels (n,)."""
        samples = validated_samples(self, X, y, sample_weight)
        self.model_ = self._fit_trees(samples.X, samples.codes, samples.weights)
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities, shape (n, r)."""
        values = features_to_predict(self, X)
        return predicted_probabilities(self.model_, values, np.arange(len(self.classes_)))

    def operators(self, X: Result) -> Result:
        """Convert to operators, from features (n, p) to class probabilities (n, r)."""
        model = self.model_
        if model.n_trees_per_iteration_ == 1:
            # Two classes have one raw score, their log-odds; more have one a class.
            above = histogram_sums(X, model).apply("Sigmoid")
            proba = concatenated([1.0 - above, above])
        else:
            proba = histogram_sums(X, model).apply("Softmax", axis=1)
        return proba @ np.eye(len(self.classes_))[model.classes_]


def histogram_sums(X: Result, model: HistogramBoosting) -> Result:
    """Compute raw predictions (n, k) of histogram gradient boosting."""
    if model.is_categorical_ is not None:
        X = _recoded(X, model)
    trees = []
    for round_ in model._predictors:
        for column, predictor in enumerate(round_):
            nodes = predictor.nodes
            is_leaf = nodes["is_leaf"].astype(bool)
            inner = nodes[~is_leaf]
            # Inner nodes are numbered 0, 1, ..., leaves -1, -2, ..., in the order of
            # scikit-learn.
            place = np.where(is_leaf, -np.cumsum(is_leaf), np.cumsum(~is_leaf) - 1)
            tree = Trees.of(
                inner["feature_idx"],
                inner["num_threshold"],
                place[inner["left"]],
                place[inner["right"]],
                nodes["value"][is_leaf],
                column,
            )
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
    return X.sum_trees(joined(trees)) + np.ravel(model._baseline_prediction)[None, :]


def _recoded(X: Result, model: HistogramBoosting) -> Result:
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
        table[known.astype(int) + 1] = np.arange(len(known))
        code = X.columns([int(j)]).cast("int64") + np.int64(1)
        place = code.apply("Min", np.int64(len(table) - 1))
        parts.append(X.graph.add("Gather", table, place))
    if len(numbers):
        parts.append(X.columns(numbers))
    return concatenated(parts)
