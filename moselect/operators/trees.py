"""Decision trees as plain arrays: their evaluation, and trees that search in sorted numbers."""

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect._types import Array, Booleans, Floats, Integers

N_CATEGORIES = 257  # histogram trees have 256 codes; the last one is of other categories


class Trees(NamedTuple):
    """The nodes of all trees, and their leaves.

    Node i sends a row to its true node if its feature is at most the split or, where
    ``sets[i]`` is not negative, if it is a category marked in this row of ``members``.
    Children are later nodes or, negative, leaves: c is the leaf ``-1 - c``.
    """

    roots: Integers  # (trees,)
    features: Integers  # (nodes,) as all the following
    splits: Floats
    true_nodes: Integers
    false_nodes: Integers
    sets: Integers
    members: NDArray[np.uint8]  # (sets, categories)
    targets: Integers  # (leaves,) columns of the result
    values: Floats  # (leaves,)
    n_targets: int

    @classmethod
    def of(
        cls,
        features: Any,
        splits: ArrayLike,
        true_nodes: ArrayLike,
        false_nodes: ArrayLike,
        values: Floats,
        target: int,
    ) -> Self:
        """Return one tree without categories, whose leaves add to one column."""
        if not len(features):  # both children of a node that splits nothing are the leaf
            features = [0]
            splits = [0.0]
            true_nodes = [-1]
            false_nodes = [-1]
        return cls(
            roots=np.zeros(1, int),
            features=np.array(features, int),
            splits=np.array(splits, float),
            true_nodes=np.array(true_nodes, int),
            false_nodes=np.array(false_nodes, int),
            sets=np.full(len(features), -1),
            members=np.zeros((0, N_CATEGORIES), np.uint8),
            targets=np.full(len(values), target),
            values=np.array(values, float),
            n_targets=target + 1,
        )

    def sum(self, X: Floats) -> Floats:
        """Sum the values (n, k) of the leaves that rows (n, p) reach."""
        self.check(X.shape[1])
        X = np.ascontiguousarray(X, float)
        if "numba" not in sys.modules:  # the compiler, once loaded, is quicker
            return self._sum_few(X)
        from moselect._kernels.scores import sum_leaves  # slow to load

        out = np.zeros((len(X), self.n_targets))
        sum_leaves(X, *self[:-1], out)
        return out

    def _sum_few(self, X: Floats) -> Floats:
        """Let all rows take one step in all trees at a time."""
        n = len(X)
        n_trees = len(self.roots)
        row = np.repeat(np.arange(n), n_trees)
        at = np.tile(self.roots, n)
        under_way = np.arange(len(at))
        while len(under_way):
            node = at[under_way]
            x = X[row[under_way], self.features[node]]
            # Missing values are not at most the split, and go to the false node.
            is_true = x <= self.splits[node]
            if len(self.members):
                chosen = self.sets[node]
                listed = chosen >= 0
                is_true[listed] = self._is_member(chosen[listed], x[listed])
            at[under_way] = np.where(
                is_true, self.true_nodes[node], self.false_nodes[node]
            )
            under_way = under_way[at[under_way] >= 0]
        leaf = -1 - at
        place = row * self.n_targets + self.targets[leaf]
        # Trees are added in their order, as in the compiled loop: equal to the last bit.
        sums = np.bincount(place, self.values[leaf], minlength=n * self.n_targets)
        return np.asarray(sums, float).reshape(n, self.n_targets)

    def _is_member(self, chosen: Integers, x: Floats) -> Booleans:
        # A category is a whole number within the table of marks.
        known = (x >= 0.0) & (x < self.members.shape[1])
        code = np.where(known, x, 0.0).astype(int)
        return known & (code == x) & (self.members[chosen, code] != 0)

    def check(self, n_features: int) -> None:
        """Raise ValueError unless every row reaches a leaf in every tree, whatever it holds.

        The compiled loop trusts the indices, which may come from a file.
        """
        n_nodes = len(self.features)
        n_leaves = len(self.values)
        children = np.array([self.true_nodes, self.false_nodes])
        of_nodes = (self.splits, self.sets, *children)
        is_safe = (
            {*map(len, of_nodes)} == {n_nodes}
            and len(self.targets) == n_leaves
            and _within(self.roots, 0, n_nodes)
            and _within(self.features, 0, n_features)
            and _within(self.sets, -1, len(self.members))
            and _within(self.targets, 0, self.n_targets)
            and _within(children, -n_leaves, n_nodes)
            # a node comes after its parent
            and not ((children >= 0) & (children <= np.arange(n_nodes))).any()
        )
        if not is_safe:
            raise ValueError("the nodes of its trees are out of bounds")


def _within(indices: Array, low: int, end: int) -> bool:
    """Check that all indices are integers with low <= index < end."""
    is_index = indices.dtype == np.int64
    return bool(is_index and (indices >= low).all() and (indices < end).all())


def counting_trees(
    ascending: Sequence[ArrayLike], equal: bool, first: Integers | None = None
) -> Trees:
    """Return trees (columns,) that count the numbers below each value by bisection.

    As in `moselect.operators.graph.Result.count_below`.

    Examples
    --------
    >>> trees = counting_trees([[1.0, 2.0, 4.0]], equal=True)
    >>> trees.sum(np.array([[0.0], [2.0], [9.0]])).ravel().tolist()
    [0.0, 2.0, 3.0]
    """
    starts = np.zeros(len(ascending)) if first is None else first
    trees = []
    for column, numbers in enumerate(ascending):
        splits = np.asarray(numbers, float)
        if equal:  # x < split where x is at most the number before
            splits = np.nextafter(splits, -np.inf)
        compared, true_nodes, false_nodes = _bisection(len(splits))
        counts = starts[column] + np.arange(len(splits) + 1.0)
        features = np.full(len(compared), column)
        trees.append(
            Trees.of(features, splits[compared], true_nodes, false_nodes, counts, column)
        )
    return joined(trees)


def joined(trees: Sequence[Trees]) -> Trees:
    """Return several trees as one set, whose results are added."""
    # Nodes, leaves and sets of a tree follow after the trees before it.
    nodes = np.cumsum([0, *(len(tree.features) for tree in trees)])
    leaves = np.cumsum([0, *(len(tree.values) for tree in trees)])
    sets = np.cumsum([0, *(len(tree.members) for tree in trees)])
    shifted = [
        tree._replace(
            roots=tree.roots + node,
            true_nodes=_shifted(tree.true_nodes, node, leaf),
            false_nodes=_shifted(tree.false_nodes, node, leaf),
            sets=_shifted(tree.sets, first_set, 0),
        )
        for tree, node, leaf, first_set in zip(trees, nodes, leaves, sets, strict=False)
    ]
    arrays = zip(*(tree[:-1] for tree in shifted), strict=True)
    n_targets = max(tree.n_targets for tree in trees)
    return Trees._make([*map(np.concatenate, arrays), n_targets])


def _shifted(places: Integers, by: int, negative_by: int) -> Integers:
    """Move places from 0 on forwards, and negative ones backwards."""
    return np.where(places >= 0, places + by, places - negative_by)


def _bisection(n: int) -> Integers:
    """Return which of n numbers each node compares, and its children; leaf c is for count c."""
    nodes: list[list[int]] = []

    def grow(low: int, high: int) -> int:
        """Add the nodes between two counts, parents first; return the root or leaf."""
        if low == high:
            return -1 - low
        middle = (low + high) // 2
        node = [middle]
        place = len(nodes)
        nodes.append(node)
        node += [grow(low, middle), grow(middle + 1, high)]
        return place

    grow(0, n)
    return np.array(nodes, int).reshape(-1, 3).T
