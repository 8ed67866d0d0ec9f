"""Operators on arrays: graphs of them, their evaluation, and their form in files."""

from moselect.operators.feature_graph import FeatureGraph
from moselect.operators.graph import Graph

__all__ = ["FeatureGraph", "Graph"]
