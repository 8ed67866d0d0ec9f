"""Fitted columns of models as a graph; they do not import scikit-learn, which is slow."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from moselect._types import Floats, Table
from moselect.operators.feature_graph import Arrays, FeatureGraph, GraphDocument
from moselect.samples.features import feature_matrix


class _Document(Struct, frozen=True, forbid_unknown_fields=True):
    """Columns of models as plain values, except the arrays of their graph."""

    models: list[str]
    graph: GraphDocument
    features: list[str] | None = None


class FittedModelColumns:
    """Expected ranks predicted by several models, as `ModelColumns` fits them."""

    document_name = "models"

    def __init__(
        self,
        model_names: Sequence[str],
        graph: FeatureGraph,
        features: Any,
    ) -> None:
        self.model_names = list(model_names)
        self.graph = graph
        self.n_features_in_ = graph.n_features
        self.feature_names_in_ = None if features is None else list(map(str, features))

    def transform(self, X: Table) -> Floats:
        """Compute the expected ranks 1 .. r of new samples, shape (n, B)."""
        return self.graph(feature_matrix(X, self.feature_names_in_, self.n_features_in_))

    def get_feature_names_out(
        self, input_features: Sequence[str] | None = None
    ) -> NDArray[np.object_]:
        """Return the names of the models, shape (B,)."""
        return np.array(self.model_names, dtype=object)

    @property
    def arrays(self) -> Arrays:
        """Arrays of the graph."""
        return self.graph.arrays

    def to_document(self) -> dict[str, Any]:
        """Serialise as plain values, except the arrays."""
        document = _Document(
            self.model_names,
            self.graph.to_document(),
            self.feature_names_in_,
        )
        plain: dict[str, object] = msgspec.to_builtins(document)
        return plain

    @classmethod
    def from_document(cls, content: Mapping[str, object], arrays: Arrays) -> Self:
        """Return the columns that a document and its arrays describe."""
        read = msgspec.convert(content, _Document)
        graph = FeatureGraph.from_document(read.graph, arrays)
        return cls(read.models, graph, read.features)
