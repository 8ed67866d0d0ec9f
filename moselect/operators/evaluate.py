"""Operators, and the evaluation of graphs by numpy.

Each function here is the definition of an operator: ONNX and the page mean the same by
its name, which tests compare. Tensors have doubles, integers, booleans or text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np

from moselect._types import Array
from moselect.operators.graph import TENSOR_TYPES, Graph
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
