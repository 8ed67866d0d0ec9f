"""Graphs of prepared columns: evaluation by numpy, and their form in files."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Annotated, Self

import numpy as np
from msgspec import Meta, Struct

from moselect._types import Array, Floats, record
from moselect.budgets import MEMORY
from moselect.operators.graph import (
    FEATURES,
    TENSOR_TYPES,
    TREE_ENSEMBLE,
    Graph,
    Node,
    Result,
)
from moselect.operators.trees import Trees

Arrays = Mapping[str, Array]

RESULT = "result"  # the only output
TYPES = {
    TENSOR_TYPES["float"]: np.float32,
    TENSOR_TYPES["int64"]: np.int64,
    TENSOR_TYPES["double"]: np.float64,
}


def _softmax(x: Array, *, axis: int) -> Array:
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _reduce(ufunc: np.ufunc, x: Array, axes: Array, *, keepdims: int = 1) -> Array:
    return ufunc.reduce(x, tuple(axes.tolist()), keepdims=bool(keepdims))


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
    "Sigmoid": lambda x: 1.0 / (1.0 + np.exp(-x)),
    "Softmax": _softmax,
    "Greater": np.greater,
    "Less": np.less,
    "IsNaN": np.isnan,
    "IsInf": np.isinf,
    "Or": np.logical_or,
    "Where": np.where,
    "MatMul": np.matmul,
    "ReduceSum": partial(_reduce, np.add),
    "ReduceMax": partial(_reduce, np.maximum),
    "ReduceMin": partial(_reduce, np.minimum),
    "ArgMin": np.argmin,  # the first of equal ones
    "Cast": lambda x, to: x.astype(TYPES[to]),  # integers are truncated numbers
    "Reshape": lambda x, shape: x.reshape(shape.tolist()),
    "Concat": lambda *parts, axis: np.concatenate(parts, axis),
    "Gather": lambda values, places, axis=0: np.take(values, places, axis),
    TREE_ENSEMBLE: lambda x, *trees, n_targets: Trees._make((*trees, n_targets)).sum(x),
}


def evaluate(graph: Graph, inputs: Mapping[str, Array]) -> dict[str, Array]:
    """Compute the outputs of a graph from its inputs, by their names in nodes."""
    known = {**graph.constants, **inputs}
    uses = Counter(name for node in graph.nodes for name in node.inputs)
    uses.update(graph.outputs.values())
    with np.errstate(all="ignore"):  # infinite numbers are no errors
        for node in graph.nodes:
            operands = [known[name] for name in node.inputs]
            known[node.result] = OPERATORS[node.operator](*operands, **node.settings)
            # Results that are not needed again make room.
            for name in node.inputs:
                uses[name] -= 1
                if not uses[name]:
                    del known[name]
    return {output: known[name] for output, name in graph.outputs.items()}


class GraphDocument(Struct, frozen=True, forbid_unknown_fields=True):
    """Nodes of a graph in topological order, and the name of its result."""

    n_features: Annotated[int, Meta(ge=1)]
    nodes: list[Node]
    result: str


@record
class FeatureGraph:
    """Function of prepared columns (n, p) as a graph with a single result (n, k).

    Examples
    --------
    >>> double = FeatureGraph.of(lambda X: X * 2.0, n_features=1)
    >>> double(np.array([[1.0], [3.0]])).tolist()
    [[2.0], [6.0]]
    >>> again = FeatureGraph.from_document(double.to_document(), double.arrays)
    >>> again(np.array([[1.0]])).tolist()
    [[2.0]]
    """

    graph: Graph
    n_features: int

    @classmethod
    def of(cls, convert: Callable[[Result], Result], n_features: int) -> Self:
        """Record the operators that a function applies to columns."""
        graph = Graph()
        graph.outputs[RESULT] = convert(Result(graph, FEATURES)).name
        return cls(graph, n_features)

    def __call__(self, values: Floats) -> Floats:
        """Compute the result (n, k) for columns (n, p), some rows at a time."""
        if len(values) > MEMORY.interpreted_rows:
            import_module("moselect._kernels.scores")
        parts = np.array_split(values, 1 + len(values) // MEMORY.graph_rows)
        return np.concatenate(
            [evaluate(self.graph, {FEATURES: part})[RESULT] for part in parts]
        )

    def embed(self, X: Result) -> Result:
        """Add the operators to the graph of some columns, and return the result there."""
        # Constants and results get new names in the other graph.
        names = {FEATURES: X.name}
        for name, array in self.graph.constants.items():
            names[name] = X.graph.name_of(array)
        for node in self.graph.nodes:
            inputs = [names[name] for name in node.inputs]
            names[node.result] = X.graph.add(node.operator, *inputs, **node.settings).name
        return Result(X.graph, names[self.graph.outputs[RESULT]])

    def to_document(self) -> GraphDocument:
        """Serialise all but the arrays."""
        return GraphDocument(
            self.n_features, self.graph.nodes, self.graph.outputs[RESULT]
        )

    @property
    def arrays(self) -> Arrays:
        """Constants of the graph by their names."""
        return self.graph.constants

    @classmethod
    def from_document(cls, document: GraphDocument, arrays: Arrays) -> Self:
        """Return the graph of a document and its arrays."""
        graph = Graph()
        # Nodes are in topological order: an input that comes later is unknown when evaluated.
        graph.nodes = document.nodes
        graph.constants = dict(arrays)
        graph.outputs[RESULT] = document.result
        return cls(graph, document.n_features)
