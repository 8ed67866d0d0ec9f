"""Sums of trees: the compiled loop and the numpy code."""

import sys

import numba
import numpy as np
import pytest

from moselect.operators.trees import N_CATEGORIES, Trees, counting_trees, joined


def draw_tree(rng, n_features, n_targets):
    """Draw a tree: each leaf in turn becomes a node with two leaves."""
    n_nodes = int(rng.integers(1, 12))
    true_nodes, false_nodes = (np.zeros(n_nodes, dtype=np.int64) for _ in range(2))
    open_children = [(true_nodes, 0), (false_nodes, 0)]
    for node in range(1, n_nodes):
        side, parent = open_children.pop(int(rng.integers(len(open_children))))
        side[parent] = node
        open_children += [(true_nodes, node), (false_nodes, node)]
    for leaf, (side, parent) in enumerate(open_children):
        side[parent] = -1 - leaf
    is_set = rng.random(n_nodes) < 0.3
    return Trees(
        roots=np.zeros(1, dtype=np.int64),
        features=rng.integers(0, n_features, n_nodes),
        splits=rng.integers(-2, 6, n_nodes).astype(float),
        true_nodes=true_nodes,
        false_nodes=false_nodes,
        sets=np.where(is_set, np.cumsum(is_set) - 1, -1),
        members=rng.integers(0, 2, (is_set.sum(), N_CATEGORIES)).astype(np.uint8),
        targets=rng.integers(0, n_targets, len(open_children)),
        values=rng.normal(size=len(open_children)),
        n_targets=n_targets,
    )


def test_the_compiled_sums_are_those_of_numpy(monkeypatch, rng):
    """The tests of operators compare both with onnxruntime."""
    trees = joined([draw_tree(rng, 4, 3) for _ in range(30)])
    X = rng.integers(-3, 8, (200, 4)).astype(float)
    X[rng.random(X.shape) < 0.2] += 0.5
    X[:5, 0] = [np.nan, np.inf, -np.inf, 1e300, N_CATEGORIES]
    monkeypatch.setitem(sys.modules, "numba", numba)
    compiled = trees.sum(X)
    # as in a process that has not loaded the compiler
    monkeypatch.delitem(sys.modules, "numba")
    np.testing.assert_array_equal(trees.sum(X), compiled)
    assert trees.sum(X[:0]).shape == (0, 3)


@pytest.mark.parametrize("setting", ["roots", "true_nodes", "sets", "targets"])
def test_nodes_out_of_bounds_are_refused(setting, rng):
    trees = joined([draw_tree(rng, 4, 3) for _ in range(30)])
    far = getattr(trees, setting) + 999
    with pytest.raises(ValueError, match="out of bounds"):
        trees._replace(**{setting: far}).sum(np.zeros((1, 4)))


@pytest.mark.parametrize("equal", [False, True])
def test_counting_trees_are_sorted_search(equal, rng):
    numbers = [np.sort(rng.integers(0, 9, n) / 3.0) for n in (0, 1, 2, 7, 40)]
    X = rng.integers(-1, 12, (300, 5)) / 3.0
    first = np.array([0, 5, 0, -2, 100])
    found = counting_trees(numbers, equal, first).sum(X)
    side = "right" if equal else "left"
    for j, ascending in enumerate(numbers):
        expected = first[j] + np.searchsorted(ascending, X[:, j], side=side)
        np.testing.assert_array_equal(found[:, j], expected)
