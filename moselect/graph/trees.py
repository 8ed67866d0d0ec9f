"""Trees of scikit-learn as trees of ONNX, of double precision.

Converters exist for single precision only, and for histograms without categories; what a
tree consists of is read here from the same private attributes of scikit-learn that those
read.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from moselect._types import Booleans, Floats, Integers
from moselect.graph.graph import TREES, Graph

AT_MOST, MEMBER = 0, 6  # modes of a split
ELSE = -2.0  # a category that was not seen in training


class Tree(NamedTuple):
    """The nodes (m,) of a tree, the root first; ``members``: categories that go left."""

    feature: Integers
    split: Floats
    left: Integers
    right: Integers
    is_leaf: Booleans
    members: dict[int, list[float]]


SINGLE = Tree(
    np.zeros(2, np.int64),
    np.zeros(2),
    np.array([1, 0]),
    np.array([1, 0]),
    np.array([False, True]),
    {},
)


def tree_sums(
    graph: Graph, X: str, trees: Sequence[Tree], values: Floats, target: Integers
) -> str:
    """Return sums of leaves (n, k): leaf i adds ``values[i]`` to column ``target[i]``.

    Leaves are counted through all trees, in the order of their nodes.
    """
    # A tree of a single leaf gets a root that has it on both sides.
    trees = [SINGLE if tree.is_leaf[0] else tree for tree in trees]
    starts = np.cumsum([0, *(len(tree.split) for tree in trees)])[:-1]
    feature, split, is_leaf = (
        np.concatenate([getattr(tree, name) for tree in trees])
        for name in ("feature", "split", "is_leaf")
    )
    members = {
        start + node: categories
        for tree, start in zip(trees, starts.tolist(), strict=True)
        for node, categories in tree.members.items()
    }
    # ONNX counts leaves and other nodes apart.
    numbers = np.where(is_leaf, np.cumsum(is_leaf), np.cumsum(~is_leaf)) - 1
    inner = np.flatnonzero(~is_leaf)
    sets = [members.get(node) for node in inner.tolist()]
    settings: dict[str, Any] = {
        "tree_roots": numbers[starts].tolist(),
        "nodes_featureids": feature[inner].tolist(),
        "nodes_splits": split[inner],
        "nodes_modes": np.array(
            [AT_MOST if at is None else MEMBER for at in sets], np.uint8
        ),
    }
    for side, name in (("true", "left"), ("false", "right")):
        pairs = zip(trees, starts, strict=True)
        child = np.concatenate([getattr(tree, name) + start for tree, start in pairs])[
            inner
        ]
        settings[f"nodes_{side}nodeids"] = numbers[child].tolist()
        settings[f"nodes_{side}leafs"] = is_leaf[child].astype(int).tolist()
    if members:
        listed = [[*categories, np.nan] for categories in sets if categories is not None]
        settings["membership_values"] = np.concatenate(listed)
    return graph.add(
        "TreeEnsemble",
        X,
        domain=TREES,
        n_targets=int(target.max()) + 1,
        aggregate_function=1,  # sums
        post_transform=0,  # as they are
        leaf_targetids=target.tolist(),
        leaf_weights=values,
        **settings,
    )


def grown_trees(estimators: Sequence[Any]) -> tuple[list[Tree], Floats]:
    """Return regression trees, and the values (leaves, k) of their leaves."""
    trees, values = [], []
    for tree in (estimator.tree_ for estimator in estimators):
        is_leaf = tree.children_left < 0
        trees.append(
            Tree(
                tree.feature,
                tree.threshold,
                tree.children_left,
                tree.children_right,
                is_leaf,
                {},
            )
        )
        values.append(tree.value[is_leaf, :, 0])
    return trees, np.concatenate(values)


def mean_of_trees(graph: Graph, X: str, estimators: Sequence[Any]) -> str:
    """Return the means (n, k) of the values of all trees."""
    trees, values = grown_trees(estimators)
    sizes = [int(tree.is_leaf.sum()) for tree in trees]
    # A leaf of ONNX has one number: that of its row in the table of values.
    which = np.repeat(np.arange(len(trees)), sizes)
    leaf = graph.cast(
        tree_sums(graph, X, trees, np.arange(float(len(values))), which), "int64"
    )
    of_trees = graph.add("Gather", values / len(trees), leaf)
    return graph.add("ReduceSum", of_trees, np.array([1]), keepdims=0)


def histogram_sums(graph: Graph, X: str, model: Any) -> str:
    """Return the raw predictions (n, k) of boosted histograms."""
    if model.is_categorical_ is not None:
        X = _recoded(graph, X, model)
    trees, values, target = [], [], []
    for k, predictor in chain.from_iterable(map(enumerate, model._predictors)):
        nodes = predictor.nodes
        is_leaf, is_set = (
            nodes[name].astype(bool) for name in ("is_leaf", "is_categorical")
        )
        members = {
            node: _members(predictor.raw_left_cat_bitsets[nodes["bitset_idx"][node]])
            + [ELSE] * bool(nodes["missing_go_to_left"][node])
            for node in np.flatnonzero(is_set & ~is_leaf).tolist()
        }
        feature, left, right = (
            nodes[name].astype(np.int64) for name in ("feature_idx", "left", "right")
        )
        trees.append(Tree(feature, nodes["num_threshold"], left, right, is_leaf, members))
        values.append(nodes["value"][is_leaf])
        target.append(np.full(is_leaf.sum(), k))
    sums = tree_sums(graph, X, trees, np.concatenate(values), np.concatenate(target))
    return graph.add("Add", sums, np.ravel(model._baseline_prediction)[None, :])


def _recoded(graph: Graph, X: str, model: Any) -> str:
    """Return features as the histograms see them: categories first, by their index."""
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
        code = graph.cast(graph.columns(X, [int(j)]), "int64")
        place = graph.add(
            "Min", graph.add("Add", code, np.int64(1)), np.int64(len(table) - 1)
        )
        parts.append(graph.add("Gather", table, place))
    if len(numbers):
        parts.append(graph.columns(X, numbers))
    return graph.beside(parts)


def _members(bits: Any) -> list[float]:
    """Return the numbers that a set of 8 times 32 bits holds."""
    return [float(i) for i in range(256) if int(bits[i // 32]) >> (i % 32) & 1]
