"""`GraphColumns`: expected ranks predicted by several models, as a graph."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import msgspec
import numpy as np
from msgspec import Struct

from moselect._types import Floats, Labels, Table
from moselect.operators.feature_graph import Arrays, FeatureGraph, GraphDocument
from moselect.preprocessing.columns import Columns
from moselect.tables.features import feature_matrix

MODEL_COLUMNS = "models"  # document name of columns whose arrays stand in an archive


class ModelsDocument(Struct, frozen=True, forbid_unknown_fields=True):
    """Columns of models as plain values, except the arrays of their graph."""

    models: list[str]
    graph: GraphDocument
    features: list[str] | None = None


class GraphColumns(Columns):
    """Expected ranks predicted by several models, as `ModelColumns` freezes them."""

    document_name = MODEL_COLUMNS
    cross_fitted = True

    def __init__(
        self,
        model_names: list[str],
        graph: FeatureGraph,
        features: list[str] | None,
    ) -> None:
        self.model_names = model_names
        self.graph = graph
        self.n_features_in_ = graph.n_features
        self.feature_names_in_ = features

    def transform(self, X: Table) -> Floats:
        """Compute the expected ranks 1 .. r of new samples, shape (n, B)."""
        return self.graph(feature_matrix(X, self.feature_names_in_, self.n_features_in_))

    def get_feature_names_out(
        self, input_features: Sequence[str] | None = None
    ) -> Labels:
        """Return the names of the models, shape (B,)."""
        return np.array(self.model_names, object)

    @property
    def arrays(self) -> Arrays:
        """Arrays of the graph."""
        return self.graph.arrays

    def to_document(self) -> Any:
        """Serialise all but the arrays."""
        return ModelsDocument(
            self.model_names, self.graph.to_document(), self.feature_names_in_
        )

    @classmethod
    def from_document(cls, content: Mapping[str, object], arrays: Arrays) -> Self:
        """Return the columns that a document and its arrays describe."""
        read = msgspec.convert(content, ModelsDocument)
        graph = FeatureGraph.from_document(read.graph, arrays)
        return cls(read.models, graph, read.features)
