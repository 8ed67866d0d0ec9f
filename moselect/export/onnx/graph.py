"""A graph of ONNX operators, written node by node."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Integers
from moselect.models.terms import DatePart, Level, Number, Time, Truth

OPSET, ML_OPSET, IR_VERSION = 21, 5, 10
TREES = "ai.onnx.ml"  # the domain of trees and of text
MEANINGS = {
    Number: "number, NaN where it is missing",
    Truth: "1 for true, 0 for false, NaN where it is missing",
    Time: "seconds, NaN where they are missing",
    DatePart: "seconds since 1970-01-01 UTC, NaN where the date is missing",
    Level: "text without blanks around it, empty where it is missing",
}


class Graph:
    """Nodes, constants and inputs of a model; names of results are what `add` returns.

    Results are columns (n, k) of double precision, unless said otherwise.

    Attributes
    ----------
    inputs : dict of str to str
        What each input (n, 1), named as its column, holds: one of `MEANINGS`.
    unusable : list of str
        Results (n, 1) that are true for rows without a class.
    """

    def __init__(self) -> None:
        from onnx import helper, numpy_helper  # an extra

        self._helper, self._arrays = helper, numpy_helper
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self.inputs: dict[str, str] = {}
        self.unusable: list[str] = []

    def array(self, values: ArrayLike, name: str = "") -> Any:
        """Return an array as an attribute of a node."""
        return self._arrays.from_array(np.asarray(values), name)

    def add(
        self, operator: str, *inputs: str | ArrayLike, domain: str = "", **settings: Any
    ) -> str:
        """Add an operator on results and constants, and return the name of its result."""
        names = [each if isinstance(each, str) else self._constant(each) for each in inputs]
        result = f"{operator}_{len(self._nodes)}"
        node = self._helper.make_node(operator, names, [result], domain=domain, **settings)
        self._nodes.append(node)
        return result

    def _constant(self, values: ArrayLike) -> str:
        name = f"constant_{len(self._constants)}"
        self._constants.append(self.array(values, name))
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
        import onnx

        return self.add("Cast", values, to=getattr(onnx.TensorProto, kind.upper()))

    def total(self, values: str) -> str:
        """Return the sums of rows, (n, 1)."""
        return self.add("ReduceSum", values, np.array([1]), keepdims=1)

    def count_below(self, values: str, ascending: ArrayLike, *, equal: bool = False) -> str:
        """Return how many of ascending numbers (m,) lie below values (n, 1), as integers (n, 1).

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

    def model(self, outputs: dict[str, tuple[str, str]], about: dict[str, str]) -> Any:
        """Return the model; outputs are results by name, each with ``"double"`` or ``"string"``."""
        import onnx

        kinds: dict[str, Any] = {
            "double": onnx.TensorProto.DOUBLE,
            "string": onnx.TensorProto.STRING,
        }
        describe = self._helper.make_tensor_value_info
        inputs = []
        for i, (name, meaning) in enumerate(self.inputs.items()):
            kind = kinds["string" if meaning == MEANINGS[Level] else "double"]
            inputs.append(describe(name, kind, ["n", 1], doc_string=meaning))
            self._nodes.insert(i, self._helper.make_node("Identity", [name], [f"input_{i}"]))
        results = []
        for name, (result, kind) in outputs.items():
            self._nodes.append(self._helper.make_node("Identity", [result], [name]))
            results.append(describe(name, kinds[kind], None))
        graph = self._helper.make_graph(self._nodes, "moselect", inputs, results, self._constants)
        sets = [self._helper.make_opsetid(*each) for each in (("", OPSET), (TREES, ML_OPSET))]
        model = self._helper.make_model(graph, opset_imports=sets, producer_name="moselect")
        model.ir_version = IR_VERSION
        self._helper.set_model_props(model, about)
        return model
