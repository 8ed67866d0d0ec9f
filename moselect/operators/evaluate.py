"""Operators of graphs and of class probabilities, and their evaluation by numpy."""

from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Array, Integers
from moselect.operators.graph import TENSOR_TYPES, Graph, Result, concatenated
from moselect.operators.trees import Trees

TYPES = {
    TENSOR_TYPES["float"]: np.float32,
    TENSOR_TYPES["int64"]: np.int64,
    TENSOR_TYPES["double"]: np.float64,
}


def _sigmoid(x: Array) -> Array:
    """Compute ``1 / (1 + exp(-x))``."""
    return 1.0 / (1.0 + np.exp(-x))


def _softmax(x: Array, *, axis: int) -> Array:
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _reduction(reduce: Callable[..., Array]) -> Callable[..., Array]:
    def over_axes(x: Array, axes: Array, *, keepdims: int = 1) -> Array:
        return reduce(x, axis=tuple(axes.tolist()), keepdims=keepdims)

    return over_axes


OPERATORS: dict[str, Callable[..., Array]] = {
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Div": np.divide,
    "Min": np.minimum,
    "Max": np.maximum,
    "Exp": np.exp,
    "Log": np.log,
    "Floor": np.floor,
    "Sigmoid": _sigmoid,
    "Softmax": _softmax,
    "Greater": np.greater,
    "GreaterOrEqual": np.greater_equal,
    "Less": np.less,
    "IsNaN": np.isnan,
    "IsInf": np.isinf,
    "Or": np.logical_or,
    "Where": np.where,
    "MatMul": np.matmul,
    "ReduceSum": _reduction(np.sum),
    "ReduceMax": _reduction(np.max),
    "ReduceMin": _reduction(np.min),
    "ArgMin": np.argmin,  # the first of equal ones
    "Cast": lambda x, to: x.astype(TYPES[to]),  # integers are truncated numbers
    "Reshape": lambda x, shape: x.reshape(shape.tolist()),
    "Concat": lambda *parts, axis: np.concatenate(parts, axis),
    "Gather": lambda values, places, axis=0: np.take(values, places, axis),
}
TREE_ENSEMBLE = "TreeEnsemble"  # knows the number of all rows, beside its own


def evaluate(
    graph: Graph, inputs: Mapping[str, Array], n_rows: int | None = None
) -> dict[str, Array]:
    """Compute the outputs of a graph from its inputs, by their names in nodes.

    ``n_rows`` is the number of all rows, where the inputs are a part of them.
    """
    known = {**graph.constants, **inputs}
    uses = Counter(name for node in graph.nodes for name in node.inputs)
    uses.update(graph.outputs.values())
    with np.errstate(all="ignore"):  # infinite numbers are no errors
        for operator, names, result, _, settings in graph.nodes:
            operands = [known[name] for name in names]
            if operator == TREE_ENSEMBLE:
                known[result] = Trees(**settings).sum(operands[0], n_rows)
            else:
                known[result] = OPERATORS[operator](*operands, **settings)
            for name in names:  # results that are not needed again make room
                uses[name] -= 1
                if not uses[name]:
                    del known[name]
    return {output: known[name] for output, name in graph.outputs.items()}


def proportional_odds(score: Result, thresholds: ArrayLike) -> Result:
    """Compute class probabilities (n, r) under proportional odds of a score (n, 1)."""
    # in place of infinite log-odds
    certain = 1e6
    clipped = np.clip(thresholds, -certain, certain)[None, :]
    return class_shares((score - clipped).apply("Sigmoid"), clipped.size)


def at_all_classes(above: Result, indices: Integers, n_classes: int) -> Result:
    """Compute probabilities (n, r) of all classes from P(y > k) of the classes with samples."""
    n_boundaries = len(indices) - 1
    return (
        class_shares(descending(above, n_boundaries), n_boundaries)
        @ np.eye(n_classes)[indices]
    )


def class_shares(above: Result, n_boundaries: int) -> Result:
    """Compute class probabilities (n, r) from descending P(y > k), (n, r - 1)."""
    # P(y = k) = P(y > k - 1) - P(y > k), with P(y > -1) = 1
    differences = np.eye(n_boundaries, n_boundaries + 1, 1) - np.eye(
        n_boundaries, n_boundaries + 1
    )
    return above @ differences + np.eye(1, n_boundaries + 1)


def descending(above: Result, n_boundaries: int) -> Result:
    """Project P(y > k), (n, r - 1), to the nearest descending sequence by least squares.

    Min-max formula of isotonic regression: the minimum over a <= k of the maximum over
    b >= k of the means of P(y > a) to P(y > b) (Barlow, Bartholomew, Bremner & Brunk
    1972, Statistical inference under order restrictions).
    """
    if n_boundaries == 1:
        return above
    first, last, cut = np.ogrid[:n_boundaries, :n_boundaries, :n_boundaries]
    in_block = ((first <= cut) & (cut <= last)) / np.maximum(last - first + 1.0, 1.0)
    flat = in_block.reshape(-1, n_boundaries).T.copy()
    means = (above @ flat).apply("Reshape", np.array([-1, n_boundaries, n_boundaries]))
    fitted = []
    for k in range(n_boundaries):
        part = means.apply("Gather", np.arange(k + 1), axis=1)
        part = part.apply("Gather", np.arange(k, n_boundaries), axis=2)
        greatest = part.apply("ReduceMax", np.array([2]), keepdims=0)
        fitted.append(greatest.apply("ReduceMin", np.array([1]), keepdims=1))
    return concatenated(fitted)
