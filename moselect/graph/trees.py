"""Trees of scikit-learn as trees of ONNX, of double precision.

Converters exist for single precision only, and for histograms without categories; what a tree
consists of is read here from the same private attributes of scikit-learn that those read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from moselect._types import Booleans, Floats, Integers
from moselect.graph.graph import TREES, Graph

AT_MOST, MEMBER = 0, 6  # modes of a split
ELSE = -2.0  # a category that was not seen in training
_NODES = ("featureids", "splits", "modes", "truenodeids", "trueleafs", "falsenodeids", "falseleafs")


class Tree(NamedTuple):
    """The nodes (m,) of a tree, the root first; ``members`` are the categories that go left."""

    feature: Integers
    split: Floats
    left: Integers
    right: Integers
    is_leaf: Booleans
    members: dict[int, list[float]]


def tree_sums(graph: Graph, X: str, trees: Sequence[Tree], values: Floats, target: Integers) -> str:
    """Return the sums of leaves (n, k): leaf i adds ``values[i]`` to column ``target[i]``.

    Leaves are counted through all trees, in the order of their nodes.
    """
    parts: dict[str, list[Any]] = {name: [] for name in ("roots", "members", *_NODES)}
    n_nodes = n_leaves = 0
    for tree in map(_with_split, trees):
        inner = np.flatnonzero(~tree.is_leaf)
        numbers = np.where(
            tree.is_leaf,
            np.cumsum(tree.is_leaf) - 1 + n_leaves,
            np.cumsum(~tree.is_leaf) - 1 + n_nodes,
        )
        parts["roots"].append(n_nodes)
        parts["featureids"] += tree.feature[inner].tolist()
        parts["splits"] += tree.split[inner].tolist()
        parts["modes"] += [MEMBER if node in tree.members else AT_MOST for node in inner.tolist()]
        for side, child in (("true", tree.left[inner]), ("false", tree.right[inner])):
            parts[f"{side}nodeids"] += numbers[child].tolist()
            parts[f"{side}leafs"] += tree.is_leaf[child].astype(int).tolist()
        for node in inner.tolist():
            if node in tree.members:
                parts["members"] += [*tree.members[node], np.nan]
        n_nodes, n_leaves = n_nodes + len(inner), n_leaves + int(tree.is_leaf.sum())
    settings: dict[str, Any] = {f"nodes_{name}": parts[name] for name in _NODES}
    settings["nodes_splits"] = np.array(parts["splits"])
    settings["nodes_modes"] = np.array(parts["modes"], dtype=np.uint8)
    if parts["members"]:
        settings["membership_values"] = np.array(parts["members"])
    return graph.add(
        "TreeEnsemble",
        X,
        domain=TREES,
        n_targets=int(target.max()) + 1,
        aggregate_function=1,  # sums
        post_transform=0,  # as they are
        tree_roots=parts["roots"],
        leaf_targetids=target.tolist(),
        leaf_weights=values,
        **settings,
    )


def _with_split(tree: Tree) -> Tree:
    """Return a tree with a root that splits: that of a single leaf has the same on both sides."""
    if not tree.is_leaf[0]:
        return tree
    return Tree(
        np.array([0, 0]),
        np.zeros(2),
        np.array([1, 0]),
        np.array([1, 0]),
        np.array([False, True]),
        {},
    )


def grown_trees(estimators: Sequence[Any]) -> tuple[list[Tree], Floats]:
    """Return regression trees, and the values (leaves, k) of their leaves."""
    trees, values = [], []
    for tree in (estimator.tree_ for estimator in estimators):
        is_leaf = tree.children_left < 0
        trees.append(
            Tree(tree.feature, tree.threshold, tree.children_left, tree.children_right, is_leaf, {})
        )
        values.append(tree.value[is_leaf, :, 0])
    return trees, np.concatenate(values)


def mean_of_trees(graph: Graph, X: str, estimators: Sequence[Any]) -> str:
    """Return the means (n, k) of the values of all trees."""
    trees, values = grown_trees(estimators)
    sizes = [int(tree.is_leaf.sum()) for tree in trees]
    # A leaf of ONNX has one number: that of its row in the table of values.
    which = np.repeat(np.arange(len(trees)), sizes)
    leaf = graph.cast(tree_sums(graph, X, trees, np.arange(float(len(values))), which), "int64")
    of_trees = graph.add("Gather", values / len(trees), leaf)
    return graph.add("ReduceSum", of_trees, np.array([1]), keepdims=0)


def histogram_sums(graph: Graph, X: str, model: Any) -> str:
    """Return the raw predictions (n, k) of boosted histograms."""
    if model.is_categorical_ is not None:
        X = _recoded(graph, X, model)
    trees, values, target = [], [], []
    for predictors in model._predictors:
        for k, predictor in enumerate(predictors):
            nodes = predictor.nodes
            is_leaf = nodes["is_leaf"].astype(bool)
            members = {
                node: _members(predictor.raw_left_cat_bitsets[nodes["bitset_idx"][node]])
                + [ELSE] * bool(nodes["missing_go_to_left"][node])
                for node in np.flatnonzero(nodes["is_categorical"].astype(bool) & ~is_leaf).tolist()
            }
            feature = nodes["feature_idx"].astype(np.int64)
            split, left, right = (nodes[name] for name in ("num_threshold", "left", "right"))
            trees.append(
                Tree(
                    feature, split, left.astype(np.int64), right.astype(np.int64), is_leaf, members
                )
            )
            values.append(nodes["value"][is_leaf])
            target.append(np.full(is_leaf.sum(), k))
    sums = tree_sums(graph, X, trees, np.concatenate(values), np.concatenate(target))
    return graph.add("Add", sums, np.ravel(model._baseline_prediction)[None, :])


def _recoded(graph: Graph, X: str, model: Any) -> str:
    """Return the features as the histograms see them: categories first, by their index."""
    coded, encoder = model.is_categorical_, model._preprocessor.named_transformers_["encoder"]
    categories, numbers = np.flatnonzero(coded), np.flatnonzero(~coded)
    parts = []
    for j, known in zip(categories, encoder.categories_, strict=True):
        table = np.full(int(known.max()) + 3, ELSE)  # codes from -1 on, and one for others
        table[known.astype(np.int64) + 1] = np.arange(len(known))
        code = graph.cast(graph.columns(X, [int(j)]), "int64")
        place = graph.add("Min", graph.add("Add", code, np.int64(1)), np.int64(len(table) - 1))
        parts.append(graph.add("Gather", table, place))
    if len(numbers):
        parts.append(graph.columns(X, numbers))
    return graph.beside(parts)


def _members(bits: Any) -> list[float]:
    """Return the numbers that a set of 8 times 32 bits holds."""
    return [float(i) for i in range(256) if int(bits[i // 32]) >> (i % 32) & 1]
