"""Conversion of scikit-learn's trees to operators in double precision.

Converters exist for single precision only, and for histograms without categories; this
module reads the same private attributes of scikit-learn's trees as they do.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from moselect._types import Floats
from moselect.operators.graph import Result, concatenated
from moselect.operators.trees import N_CATEGORIES, Trees, joined

# names of features, splits and children in scikit-learn's nodes
GROWN = ("feature", "threshold", "children_left", "children_right")
HISTOGRAM = ("feature_idx", "num_threshold", "left", "right")
ELSE = N_CATEGORIES - 1  # code of a category not seen in training


def rounded(X: Result) -> Result:
    """Round features to single precision, in which scikit-learn's trees compare them."""
    return X.cast("float").cast("double")


def grown_trees(estimators: Sequence[Any]) -> tuple[Trees, Floats]:
    """Convert regression trees, each to a column, and the values (leaves, k) of their leaves."""
    trees = []
    values = []
    for column, tree in enumerate(estimator.tree_ for estimator in estimators):
        nodes = {name: getattr(tree, name) for name in GROWN}
        is_leaf = tree.children_left < 0
        # A forest for several indicators has a value for each; the first axis is the
        # leaf.
        values.append(tree.value[is_leaf, :, 0])
        trees.append(_tree(is_leaf, nodes, GROWN, np.zeros(is_leaf.sum()), column))
    return joined(trees), np.concatenate(values)


def mean_of_trees(X: Result, estimators: Sequence[object]) -> Result:
    """Average the predictions (n, k) of all trees."""
    trees, values = grown_trees(estimators)
    # A leaf holds one number: the row of its values in a table.
    # One pass finds the leaf of every tree, whichever the number of indicators.
    leaf = X.sum_trees(trees._replace(values=np.arange(float(len(values)))))
    leaf_values = X.graph.add("Gather", values / len(estimators), leaf.cast("int64"))
    return leaf_values.apply("ReduceSum", np.array([1]), keepdims=0)


def histogram_sums(X: Result, model: Any) -> Result:
    """Compute raw predictions (n, k) of histogram gradient boosting."""
    if model.is_categorical_ is not None:
        X = _recoded(X, model)
    trees = []
    for round_ in model._predictors:
        for column, predictor in enumerate(round_):
            nodes = predictor.nodes
            is_leaf = nodes["is_leaf"].astype(bool)
            tree = _tree(is_leaf, nodes, HISTOGRAM, nodes["value"][is_leaf], column)
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


def _tree(
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
