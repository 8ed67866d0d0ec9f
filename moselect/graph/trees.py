"""Conversion of scikit-learn's trees to ONNX in double precision.

Converters exist for single precision only, and for histograms without categories; this
module reads the same private attributes of scikit-learn's trees as they do.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from moselect._types import Floats, Integers
from moselect.graph.graph import TREES, Result, beside

AT_MOST, MEMBER = 0, 6  # modes of a split
ELSE = -2.0  # code of a category not seen in training


# ``members`` are the categories that go left; None for a numeric split.
NODE = np.dtype(
    [
        ("feature", np.int64),
        ("split", np.float64),
        ("left", np.int64),
        ("right", np.int64),
        ("is_leaf", bool),
        ("members", object),
    ]
)
Tree = NDArray[np.void]  # its nodes (m,), the root first
# Replaces a tree of a single leaf: ONNX needs a root, so both children are that leaf.
SINGLE = np.array([(0, 0.0, 1, 1, False, None), (0, 0.0, 0, 0, True, None)], NODE)


def tree_sums(
    X: Result, trees: Sequence[Tree], values: Floats, target: Integers
) -> Result:
    """Sum over trees (n, k): leaf i adds ``values[i]`` to column ``target[i]``.

    Leaves are counted through all trees, in the order of their nodes.
    """
    trees = [SINGLE if tree["is_leaf"][0] else tree for tree in trees]
    sizes = [len(tree) for tree in trees]
    nodes, starts = np.concatenate(trees), np.cumsum([0, *sizes[:-1]])
    is_leaf = nodes["is_leaf"]
    # ONNX counts leaves and other nodes apart.
    numbers = np.where(is_leaf, np.cumsum(is_leaf), np.cumsum(~is_leaf)) - 1
    inner, shifts = nodes[~is_leaf], np.repeat(starts, sizes)[~is_leaf]
    sets = inner["members"].tolist()
    modes = [AT_MOST if categories is None else MEMBER for categories in sets]
    settings: dict[str, Any] = {
        "tree_roots": numbers[starts].tolist(),
        "nodes_featureids": inner["feature"].tolist(),
        "nodes_splits": inner["split"].copy(),
        "nodes_modes": np.array(modes, np.uint8),
    }
    for side, name in (("true", "left"), ("false", "right")):
        child = inner[name] + shifts
        settings[f"nodes_{side}nodeids"] = numbers[child].tolist()
        settings[f"nodes_{side}leafs"] = is_leaf[child].astype(int).tolist()
    listed = [[*categories, np.nan] for categories in sets if categories is not None]
    if listed:
        settings["membership_values"] = np.concatenate(listed)
    return X.apply(
        "TreeEnsemble",
        domain=TREES,
        n_targets=int(target.max()) + 1,
        aggregate_function=1,  # sums
        post_transform=0,  # as they are
        leaf_targetids=target.tolist(),
        leaf_weights=values,
        **settings,
    )


def grown_trees(estimators: Sequence[Any]) -> tuple[list[Tree], Floats]:
    """Convert regression trees and the values (leaves, k) of their leaves."""
    trees, values = [], []
    for grown in (estimator.tree_ for estimator in estimators):
        tree = np.empty(grown.node_count, NODE)
        tree["feature"], tree["split"] = grown.feature, grown.threshold
        tree["left"], tree["right"] = grown.children_left, grown.children_right
        tree["is_leaf"] = tree["left"] < 0
        trees.append(tree)
        values.append(grown.value[tree["is_leaf"], :, 0])
    return trees, np.concatenate(values)


def mean_of_trees(X: Result, estimators: Sequence[Any]) -> Result:
    """Average the predictions (n, k) of all trees."""
    trees, values = grown_trees(estimators)
    sizes = [int(tree["is_leaf"].sum()) for tree in trees]
    # A leaf of ONNX holds one number: the row of its values in a table.
    which = np.repeat(np.arange(len(trees)), sizes)
    leaf = tree_sums(X, trees, np.arange(float(len(values))), which).cast("int64")
    leaf_values = X.graph.add("Gather", values / len(trees), leaf)
    return leaf_values.apply("ReduceSum", np.array([1]), keepdims=0)


def histogram_sums(X: Result, model: Any) -> Result:
    """Compute raw predictions (n, k) of histogram gradient boosting."""
    if model.is_categorical_ is not None:
        X = _recoded(X, model)
    trees, values, target = [], [], []
    for k, predictor in chain.from_iterable(map(enumerate, model._predictors)):
        nodes = predictor.nodes
        tree = np.empty(len(nodes), NODE)
        tree["feature"], tree["split"] = nodes["feature_idx"], nodes["num_threshold"]
        for name in ("left", "right", "is_leaf"):
            tree[name] = nodes[name]
        is_set = nodes["is_categorical"].astype(bool) & ~tree["is_leaf"]
        for node in np.flatnonzero(is_set).tolist():
            known = predictor.raw_left_cat_bitsets[nodes["bitset_idx"][node]]
            others = [ELSE] * bool(nodes["missing_go_to_left"][node])
            tree["members"][node] = _members(known) + others
        trees.append(tree)
        values.append(nodes["value"][tree["is_leaf"]])
        target.append(np.full(len(values[-1]), k))
    sums = tree_sums(X, trees, np.concatenate(values), np.concatenate(target))
    return sums + np.ravel(model._baseline_prediction)[None, :]


def _recoded(X: Result, model: Any) -> Result:
    """Encode features as histogram boosting does: categories first, as indices."""
    coded, encoder = (
        model.is_categorical_,
        model._preprocessor.named_transformers_["encoder"],
    )
    categories, numbers = np.flatnonzero(coded), np.flatnonzero(~coded)
    parts = []
    for j, known in zip(categories, encoder.categories_, strict=True):
        # codes from -1 on, and one for others
        table = np.full(int(known.max()) + 3, ELSE)
        table[known.astype(np.int64) + 1] = np.arange(len(known))
        code = X.columns([int(j)]).cast("int64") + np.int64(1)
        place = code.apply("Min", np.int64(len(table) - 1))
        parts.append(X.graph.add("Gather", table, place))
    if len(numbers):
        parts.append(X.columns(numbers))
    return beside(parts)


def _members(bits: Any) -> list[float]:
    """List the members of a bit set of 8 x 32 bits."""
    return [float(i) for i in range(256) if int(bits[i // 32]) >> (i % 32) & 1]
