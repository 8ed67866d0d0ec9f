"""Computational graph of operators, and class probabilities as such graphs."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from moselect._types import Array, Document, Integers, record
from moselect.operators.trees import Trees, counting_trees

# Types by their numbers in ONNX.
TENSOR_TYPES = {"float": 1, "int64": 7, "string": 8, "double": 11}
TREE_ENSEMBLE = "TreeEnsemble"
FEATURES = "features"  # input (n, p) of a graph that begins with prepared columns
INPUT_ENCODINGS = {  # of a cell, by the content of its column
    "number": "number, NaN where it is missing",
    "boolean": "1 for true, 0 for false, NaN where it is missing",
    **dict.fromkeys(("hours", "minutes"), "seconds, NaN where they are missing"),
    "date": "seconds since 1970-01-01 UTC, NaN where the date is missing",
    "levels": "text without blanks around it, empty where it is missing",
}


class Node(Struct, frozen=True, array_like=True):
    """Operator with the names of inputs and result, and attributes that JSON can hold."""

    operator: str
    inputs: list[str]
    result: str
    settings: Document


@record
class Result:
    """Symbolic tensor (n, k): the result of an operator, with operator overloading.

    Tensors have double precision by default. The right operand of ``+``, ``-``, ``*``,
    ``/`` or ``@``, and the left operand of ``-``, may be a constant.

    Examples
    --------
    >>> rooms = Graph().read("rooms", "number")
    >>> (1.0 - rooms / 2.0).name
    'Sub_1'
    """

    graph: Graph
    name: str
    __array_ufunc__ = None  # defers arrays on the left to the reflected operators

    def apply(self, operator: str, *others: Operand, **settings: object) -> Result:
        """Apply an operator to this tensor and others."""
        return self.graph.add(operator, self, *others, **settings)

    def __add__(self, other: Operand) -> Result:
        return self.apply("Add", other)

    def __sub__(self, other: Operand) -> Result:
        return self.apply("Sub", other)

    def __rsub__(self, other: Operand) -> Result:
        return self.graph.add("Sub", other, self)

    def __mul__(self, other: Operand) -> Result:
        return self.apply("Mul", other)

    def __truediv__(self, other: Operand) -> Result:
        return self.apply("Div", other)

    def __matmul__(self, other: Operand) -> Result:
        return self.apply("MatMul", other)

    def columns(self, indices: Integers | list[int]) -> Result:
        """Select columns by index."""
        return self.apply("Gather", np.asarray(indices, int), axis=1)

    def cast(self, type_name: str) -> Result:
        """Convert to ``"double"``, ``"float"`` or ``"int64"``."""
        return self.apply("Cast", to=TENSOR_TYPES[type_name])

    def clip(self, low: float, high: float) -> Result:
        """Clip the values to an interval."""
        return self.apply("Max", low).apply("Min", high)

    def total(self) -> Result:
        """Sum each row, (n, 1)."""
        return self.apply("ReduceSum", np.array([1]), keepdims=1)

    def sum_trees(self, trees: Trees) -> Result:
        """Sum the values (n, k) of the leaves that each row reaches."""
        return self.apply(TREE_ENSEMBLE, *trees[:-1], n_targets=trees.n_targets)

    def count_below(
        self, *ascending: ArrayLike, equal: bool = False, first: Integers | None = None
    ) -> Result:
        """Count the numbers below each value (n, k), ascending ones for each column.

        Counting begins at 0, or for column j at ``first[j]``. With ``equal`` numbers equal
        to the value count, too.
        """
        return self.sum_trees(counting_trees(ascending, equal, first)).cast("int64")


Operand = Result | ArrayLike


class Graph:
    """Nodes, constants and inputs of a model.

    Attributes
    ----------
    nodes : list of Node
        The operators in topological order.
    constants : dict of str to ndarray
        Constant inputs of operators.
    inputs : dict of str to str
        Content of each input (n, 1), named as its column: one of `INPUT_ENCODINGS`. Nodes call
        the i-th input ``input_i``.
    unusable : list of str
        Names of boolean results (n, 1) that mark rows without a class.
    outputs : dict of str to str
        Names of results by their role.

    Examples
    --------
    >>> graph = Graph()
    >>> rooms = graph.read("rooms", "number")
    >>> graph.outputs["score"] = (rooms * 2.0).name
    >>> graph.nodes[0].operator, graph.nodes[0].inputs
    ('Mul', ['input_0', 'constant_0'])
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.constants: dict[str, Array] = {}
        self.inputs: dict[str, str] = {}
        self.unusable: list[str] = []
        self.outputs: dict[str, str] = {}

    def add(self, operator: str, *inputs: Operand, **settings: object) -> Result:
        """Add an operator on results, also by name, and constants, and return its result."""
        names = [self.name_of(operand) for operand in inputs]
        result = f"{operator}_{len(self.nodes)}"
        self.nodes.append(Node(operator, names, result, settings))
        return Result(self, result)

    def name_of(self, value: Operand) -> str:
        """Return the name of a result, or of a new constant."""
        if isinstance(value, Result):
            return value.name
        if isinstance(value, str):
            return value
        name = f"constant_{len(self.constants)}"
        self.constants[name] = np.asarray(value)
        return name

    def trees_of(self, node: Node) -> Trees:
        """Return the trees of a node, whose arrays are constants."""
        arrays = [self.constants[name] for name in node.inputs[1:]]
        return Trees._make([*arrays, node.settings["n_targets"]])

    def read(self, name: str, content_type: str) -> Result:
        """Add the input (n, 1) of a column with some content."""
        encoding = INPUT_ENCODINGS[content_type]
        if self.inputs.setdefault(name, encoding) != encoding:
            raise ValueError(f"column {name!r} is read in two ways, which ONNX cannot do")
        return Result(self, f"input_{list(self.inputs).index(name)}")


def concatenated(parts: list[Result]) -> Result:
    """Concatenate results along columns."""
    first, *others = parts
    return first.apply("Concat", *others, axis=1) if others else first


# In place of infinite log-odds.
CERTAIN_LOG_ODDS = 1e6


def proportional_odds(score: Result, thresholds: ArrayLike) -> Result:
    """Compute class probabilities (n, r) under proportional odds of a score (n, 1)."""
    clipped = np.clip(thresholds, -CERTAIN_LOG_ODDS, CERTAIN_LOG_ODDS)[None, :]
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
    differences = np.diff(np.eye(n_boundaries + 1), axis=0)
    return above @ differences + np.eye(1, n_boundaries + 1)


@runtime_checkable
class Convertible(Protocol):
    """Fitted model with a form as a graph."""

    n_features_in_: int

    def operators(self, X: Result) -> Result:
        """Convert to operators, from the features to class probabilities or ranks."""


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
