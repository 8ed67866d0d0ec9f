"""Gradient-boosted trees: regression on ranks, and histogram-based classification."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn import config_context
from sklearn.base import clone
from sklearn.ensemble import (
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from sklearn.utils import check_random_state

from moselect._types import Directions, Floats, Integers, LabelOrder, RandomState
from moselect.metrics.scorers import predicted_probabilities
from moselect.models.ensemble.tree_operators import grown_trees, histogram_sums, rounded
from moselect.models.ordinal_classifier import CumulativeClassifier, OrdinalClassifier
from moselect.operators.graph import Result, concatenated
from moselect.samples.training import (
    RankRegressor,
    features_and_codes,
    features_to_predict,
)
from moselect.samples.validation import check_weights

MOST_ROWS = 5_000  # above, histograms are as accurate and many times faster
FEW = {"learning_rate": 0.06, "min_samples_leaf": 10}
MANY = {"learning_rate": 0.1, "max_leaf_nodes": 15}
# Of at most so many rows, and of more.
SETTINGS: dict[Any, tuple[dict[str, Any], dict[str, Any]]] = {
    HistGradientBoostingRegressor: (
        FEW | {"max_leaf_nodes": 12, "max_iter": 200},
        MANY | {"max_iter": 600},
    ),
    HistGradientBoostingClassifier: (
        FEW | {"max_leaf_nodes": 8, "max_iter": 100},
        MANY | {"max_iter": 150},
    ),
}


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
        if len(ranks) > MOST_ROWS:
            histograms = HistogramRanks(
                monotone=self.monotone, random_state=self.random_state
            )
            self.model_ = histograms.fit(values, ranks, weights)
            return
        # Share of the samples of a tree, and of the features of a split: draws of both make
        # trees differ.
        share = 0.6
        settings = {
            "learning_rate": 0.1,
            "max_depth": 4,
            "max_features": share,
            "min_samples_leaf": 5,
            "random_state": self.random_state,
        }
        trees: Any = GradientBoostingRegressor(
            n_estimators=self.n_rounds, subsample=share, **settings
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


class HistogramRanks(RankRegressor):
    """Fit boosted regression trees of histograms, to at most 20,000 rows.

    200 trees of 12 leaves, learning rate 0.06; above 5,000 rows 600 of 15 leaves,
    learning rate 0.1. Scikit-learn does the fitting.

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
    >>> HistogramRanks(random_state=1).fit(X, ranks).predict([[3.0], [76.0]]).round(2)
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
        model_class = HistGradientBoostingRegressor
        self.model_ = fit_histograms(model_class, self, values, ranks, weights)

    def operators(self, X: Result) -> Result:
        """Convert to operators, from features (n, p) to ranks (n, 1)."""
        return histogram_sums(X, self.model_)


class HistogramClassifier(OrdinalClassifier):
    """Base class of classifiers by boosted trees of histograms, with their parameters."""

    def __init__(
        self,
        *,
        categorical_features: object = None,
        monotone: Directions = None,
        random_state: RandomState = None,
        labels: LabelOrder = None,
    ) -> None:
        self.categorical_features = categorical_features
        self.monotone = monotone
        self.random_state = random_state
        self.labels = labels


class BoostedClasses(HistogramClassifier):
    """Fit boosted trees of histograms to the classes, at most 20,000 rows of them.

    100 rounds of a tree of 8 leaves for each class, learning rate 0.06; above 5,000 rows
    150 of 15 leaves, learning rate 0.1. Scikit-learn does the fitting.

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
        Categorical.

    Attributes
    ----------
    model_ : HistGradientBoostingClassifier or CumulativeClassifier
        The fitted trees; with directions and several classes a classifier at each
        boundary.
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

    model_: Any

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit the trees to features (n, p) and ordinal labels (n,)."""
        values, codes = features_and_codes(self, X, y)
        weights = check_weights(sample_weight, len(codes))
        model_class = HistGradientBoostingClassifier
        # With directions and several classes each boundary has its own trees: softmax
        # scores have no monotone form.
        if self._in_order and len(np.unique(codes)) > 2:
            of_two = clone(self).set_params(labels=None)
            self.model_ = CumulativeClassifier(of_two).fit(values, codes, weights)
        else:
            self.model_ = fit_histograms(model_class, self, values, codes, weights)
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities, shape (n, r)."""
        values = features_to_predict(self, X)
        return predicted_probabilities(self.model_, values, np.arange(len(self.classes_)))

    def operators(self, X: Result) -> Result:
        """Convert to operators, from features (n, p) to class probabilities (n, r)."""
        model = self.model_
        if isinstance(model, CumulativeClassifier):
            proba = model.operators(X)
        elif model.n_trees_per_iteration_ == 1:
            # Two classes have one raw score, their log-odds; more have one a class.
            above = histogram_sums(X, model).apply("Sigmoid")
            proba = concatenated([1.0 - above, above])
        else:
            proba = histogram_sums(X, model).apply("Softmax", axis=1)
        return proba @ np.eye(len(self.classes_))[model.classes_]


def fit_histograms(
    model_class: Any,
    estimator: HistogramRanks | HistogramClassifier,
    values: Floats,
    target: Floats | Integers,
    weights: Floats | None,
    settings: dict[str, Any] | None = None,
) -> Any:
    """Fit histogram-based trees to the rows, or to a random subsample.

    The ``settings`` depend by default on the class and the number of rows.
    """
    rows: Any = slice(None)
    # rows of the histograms; larger samples are subsampled to this size
    most_binned = 20_000
    if len(values) > most_binned:
        drawn = check_random_state(estimator.random_state).permutation(len(values))
        rows = np.sort(drawn[:most_binned])
    return model_class(
        categorical_features=estimator.categorical_features,
        monotonic_cst=estimator.monotone,
        random_state=estimator.random_state,
        early_stopping=False,
        **(settings or SETTINGS[model_class][len(values) > MOST_ROWS]),
    ).fit(values[rows], target[rows], None if weights is None else weights[rows])
