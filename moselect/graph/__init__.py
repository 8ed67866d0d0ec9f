"""A model as a graph of operators, from a table's cells to labels and probabilities."""

from moselect.graph.model import graph_of, inputs_of
from moselect.operators.graph import Graph

__all__ = ["Graph", "graph_of", "inputs_of"]
