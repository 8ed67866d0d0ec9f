"""A graph of operators of ONNX, node by node, which files and the page hold."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect._types import Integers
from moselect.models.terms import DatePart, Level, Number, Time, Truth

KINDS = {"float": 1, "int64": 7, "string": 8, "double": 11}  # by the numbers of ONNX
TREES = "ai.onnx.ml"  # the domain of trees and of text
MEANINGS = {
    Number: "number, NaN where it is missing",
    Truth: "1 for true, 0 for false, NaN where it is missing",
    Time: "seconds, NaN where they are missing",
    DatePart: "seconds since 1970-01-01 UTC, NaN where the date is missing",
    Level: "text without blanks around it, empty where it is missing",
}


class Node(NamedTuple):
    """An operator: names of what it takes and of its result, domain, and settings."""

    operator: str
    inputs: list[str]
    result: str
    domain: str
    settings: dict[str, Any]


class Graph:
    """Nodes, constants and inputs of a model; names of results are what `add` returns.

    Results are columns (n, k) of double precision, unless said otherwise.

    Attributes
    ----------
    nodes : list of Node
        The operators, each after those whose results it takes.
    constants : dict of str to ndarray
        What else they take.
    inputs : dict of str to str
        What each input (n, 1), named as its column, holds: one of `MEANINGS`. Nodes know
        the i-th one as ``input_i``.
    unusable : list of str
        Results (n, 1) that are true for rows without a class.
    outputs : dict of str to str
        Results by what they are.

    Examples
    --------
    >>> graph = Graph()
    >>> rooms = graph.read("rooms", Number)
    >>> graph.outputs["score"] = graph.add("Mul", rooms, 2.0)
    >>> graph.nodes[0].operator, graph.nodes[0].inputs
    ('Mul', ['input_0', 'constant_0'])
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.constants: dict[str, NDArray[Any]] = {}
        self.inputs: dict[str, str] = {}
        self.unusable: list[str] = []
        self.outputs: dict[str, str] = {}

    def add(
        self, operator: str, *inputs: str | ArrayLike, domain: str = "", **settings: Any
    ) -> str:
        """Add an operator on results and constants, and return the name of its result."""
        names = [
            each if isinstance(each, str) else self._constant(each) for each in inputs
        ]
        result = f"{operator}_{len(self.nodes)}"
        self.nodes.append(Node(operator, names, result, domain, settings))
        return result

    def _constant(self, values: ArrayLike) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants[name] = np.asarray(values)
        return name

    def read(self, name: str, kind: type) -> str:
        """Return the input (n, 1) of a column, read as a kind of term."""
        meaning = MEANINGS[kind]
        if self.inputs.setdefault(name, meaning) != meaning:
            raise ValueError(f"column {name!r} is read in two ways, which ONNX cannot do")
        return f"input_{list(self.inputs).index(name)}"

    def columns(self, values: str, at: Integers | list[int]) -> str:
        """Return some columns of a result."""
        return self.add("Gather", values, np.asarray(at, dtype=np.int64), axis=1)

    def beside(self, parts: list[str]) -> str:
        """Return the columns of several results beside each other."""
        return parts[0] if len(parts) == 1 else self.add("Concat", *parts, axis=1)

    def cast(self, values: str, kind: str) -> str:
        """Return a result as ``"double"``, ``"float"`` or ``"int64"``."""
        return self.add("Cast", values, to=KINDS[kind])

    def clip(self, values: str, low: float, high: float) -> str:
        """Return a result between two numbers."""
        return self.add("Min", self.add("Max", values, low), high)

    def total(self, values: str) -> str:
        """Return the sums of rows, (n, 1)."""
        return self.add("ReduceSum", values, np.array([1]), keepdims=1)

    def count_below(
        self, values: str, ascending: ArrayLike, *, equal: bool = False
    ) -> str:
        """Return how many ascending numbers (m,) lie below values (n, 1), as integers.

        By bisection: a comparison with all of them would need n times m cells.
        """
        numbers = np.asarray(ascending, dtype=np.float64)
        steps = 1 << max(len(numbers), 1).bit_length()
        padded = np.append(numbers, np.full(steps - len(numbers), np.inf))
        at = self.cast(self.add("Less", values, -np.inf), "int64")  # zeros
        while steps := steps // 2:
            tried = self.add("Gather", padded, self.add("Add", at, np.int64(steps - 1)))
            operator = "GreaterOrEqual" if equal else "Greater"
            beyond = self.cast(self.add(operator, values, tried), "int64")
            at = self.add("Add", at, self.add("Mul", beyond, np.int64(steps)))
        return self.add("Min", at, np.int64(len(numbers)))
