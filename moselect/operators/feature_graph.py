"""Graphs of prepared columns, as files hold them: JSON for the nodes, plain arrays beside it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
from msgspec import Meta, Struct

from moselect._types import Array, Document, Floats
from moselect.operators.evaluate import TREE_ENSEMBLE, evaluate
from moselect.operators.graph import FEATURES, TREES, Graph, Node, Result
from moselect.operators.trees import Trees

Arrays = Mapping[str, Array]

RESULT = "result"  # the only output
SPLITS = "splits"  # of trees; may be infinite, unlike all other numbers
MOST_FEATURES = 1_000_000
EDITED = (ArithmeticError, LookupError, MemoryError, TypeError, ValueError)


class NodeDocument(Struct, frozen=True, array_like=True):
    """A node, with the settings that are no arrays; those are called ``result.setting``."""

    operator: str
    inputs: list[str]
    result: str
    settings: dict[str, int]


class GraphDocument(Struct, frozen=True, forbid_unknown_fields=True):
    """Nodes of a graph in topological order, and the name of its result."""

    n_features: Annotated[int, Meta(ge=1, le=MOST_FEATURES)]
    nodes: list[NodeDocument]
    result: str


@dataclass(frozen=True, eq=False)
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
        """Compute the result (n, k) for columns (n, p), some rows at a time.

        ValueError if it cannot be, as of a file that was edited.
        """
        # rows evaluated at a time: memory is bounded, and arrays fit the cache
        at_once = 1_000
        starts = range(0, max(len(values), 1), at_once)
        parts = (values[start : start + at_once] for start in starts)
        try:
            found = [self._evaluate(part, len(values)) for part in parts]
        except EDITED as error:
            raise ValueError(
                f"the graph of the model cannot be evaluated: {error}"
            ) from None
        return np.concatenate(found)

    def _evaluate(self, part: Floats, n_rows: int) -> Floats:
        return evaluate(self.graph, {FEATURES: part}, n_rows)[RESULT]

    def embed(self, X: Result) -> Result:
        """Add the operators to the graph of some columns, and return the result there."""
        return X.graph.embed(self.graph, X, RESULT)

    def to_document(self) -> GraphDocument:
        """Serialise all but the arrays."""
        nodes = [
            NodeDocument(
                node.operator,
                node.inputs,
                node.result,
                {k: v for k, v in node.settings.items() if not isinstance(v, np.ndarray)},
            )
            for node in self.graph.nodes
        ]
        return GraphDocument(self.n_features, nodes, self.graph.outputs[RESULT])

    @property
    def arrays(self) -> dict[str, Array]:
        """Constants by their names, and the settings of nodes that are arrays."""
        settings = {
            f"{node.result}.{name}": value
            for node in self.graph.nodes
            for name, value in node.settings.items()
            if isinstance(value, np.ndarray)
        }
        return {**self.graph.constants, **settings}

    @classmethod
    def from_document(cls, document: GraphDocument, arrays: Arrays) -> Self:
        """Return the graph of a document; ValueError if it could not be evaluated safely.

        Every path in a tree ends in a leaf, and numbers are finite; one row of zeros is
        evaluated.
        """
        graph = Graph()
        for name, array in arrays.items():
            if not name.endswith(f".{SPLITS}") and not np.isfinite(array).all():
                raise ValueError(f"its array {name} holds numbers that are not finite")
        graph.constants.update({k: v for k, v in arrays.items() if "." not in k})
        for node in document.nodes:
            beginning = f"{node.result}."
            settings: Document = node.settings | {
                name.removeprefix(beginning): array
                for name, array in arrays.items()
                if name.startswith(beginning)
            }
            domain = ""
            if node.operator == TREE_ENSEMBLE:
                # The compiled loop over trees trusts their indices.
                domain = TREES
                if set(settings) != set(Trees._fields):
                    raise ValueError(f"the trees of node {node.result} are not complete")
                Trees(**settings).check()
            graph.nodes.append(
                Node(node.operator, node.inputs, node.result, domain, settings)
            )
        graph.outputs[RESULT] = document.result
        # Operators and inputs that are missing are found by the evaluation of a row.
        read = cls(graph, document.n_features)
        found = read(np.zeros((1, document.n_features)))
        if found.ndim != 2 or len(found) != 1 or not np.isfinite(found).all():
            raise ValueError(f"its graph gives {found.shape} for one row")
        return read
