"""The protocol of column transformers, functions that use it, and columns of models.

Beside the methods of scikit-learn, the transformers here and `SplineColumns` have the
following, which user-defined transformers may have, too:

- ``to_document()`` and ``from_document(content)``: serialisation as plain values, under the
  ``document_name``,
- ``terms(features)``: the output columns as formulas, given the formulas of the features; the first
  step has ``terms()`` if it takes tables with columns of any type,
- ``summary``: a description of the transformation,
- ``remarks(table)``: unreadable cells, unexpected missing values, and new levels of each row,
- ``only_selects``: whether the output is a selection of the input columns, whatever the training
  data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import msgspec
import numpy as np
import pandas as pd
from msgspec import Struct
from numpy.typing import NDArray

from moselect._types import Array, Floats, Table
from moselect.operators.feature_graph import Arrays, FeatureGraph, GraphDocument
from moselect.preprocessing.condition_columns import ConditionColumns
from moselect.preprocessing.fitted_preparation import FittedPreparation
from moselect.preprocessing.fitted_splines import FittedSplines
from moselect.tables.amounts import with_parts
from moselect.tables.features import feature_matrix, models_in, steps_of

if TYPE_CHECKING:  # slow to import
    from sklearn.pipeline import Pipeline

    from moselect.tables.tables import Source

MODEL_COLUMNS = "models"  # document name of columns whose models stand in an archive


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


def columns_document(columns: Pipeline | None) -> list[dict[str, Any]] | None:
    """Return the fitted steps of a transformer as plain values; None if there is none.

    The arrays of a graph of models are left out.

    Raises
    ------
    ValueError
        If a step cannot be serialised, such as a user-defined transformer.
    """
    for step in steps_of(columns):
        if not hasattr(step, "to_document"):
            raise ValueError(
                f"columns of {type(step).__name__} cannot be written to a file: keep the model "
                "in Python, or search with columns='features', 'splines' or 'models'"
            )
    return [
        {"step": step.document_name, "content": step.to_document()}
        for step in steps_of(columns)
    ] or None


class FittedSteps:
    """Fitted steps in turn, as a pipeline of scikit-learn, which is slow to import.

    Parameters
    ----------
    steps : sequence of transformers
        Such as `FittedPreparation` and `FittedSplines`.
    """

    def __init__(self, steps: Sequence[Any]) -> None:
        self.steps = [(step.document_name, step) for step in steps]

    def transform(self, X: object) -> Any:
        """Apply all steps to a table."""
        for _, step in self.steps:
            X = step.transform(X)
        return X


def columns_from_document(
    steps: Sequence[Mapping[str, Any]] | None, arrays: Mapping[str, Array]
) -> FittedSteps | None:
    """Return the fitted transformer that a document describes.

    ``arrays`` belong to the graph of models. LookupError or ValueError if the document is
    invalid.
    """
    if steps is None:
        return None

    makers: dict[str, Any] = {
        step.document_name: step.from_document
        for step in (FittedPreparation, FittedSplines, ConditionColumns)
    }
    makers[MODEL_COLUMNS] = partial(FittedModelColumns.from_document, arrays=arrays)
    return FittedSteps([makers[step["step"]](step["content"]) for step in steps])


def summaries(columns: object) -> list[str]:
    """Return a description of each preprocessing step."""
    return [step.summary for step in steps_of(columns) if hasattr(step, "summary")]


def only_selects(columns: object) -> bool:
    """Return whether all steps select columns of the table, whatever the training data."""
    steps = steps_of(columns)
    return all(
        hasattr(type(step), "only_selects") and step.only_selects for step in steps
    )


def cross_fits(columns: object) -> bool:
    """Return whether training samples get out-of-fold columns."""
    return models_in(columns) is not None


def read_rows(
    source: Source, columns: Any, features: Sequence[str], priced: Sequence[str] = ()
) -> pd.DataFrame:
    """Return a table as in training: categories as they are written, amounts as numbers.

    ``features`` are the numbers of a model without ``columns``, and ``priced`` the columns
    of its costs.
    """
    steps = steps_of(columns)
    texts = [name for step in steps for name in getattr(step, "columns_of_text", ())]
    units: dict[str, str | None] = dict.fromkeys(features, "")
    for step in steps:
        units = getattr(step, "columns_of_numbers", units)
    # Costs take numbers in any unit.
    units = {**units, **dict.fromkeys(priced)}
    table = with_parts(source.table, units)
    readers = dict.fromkeys(texts, source.as_text) | {
        name: partial(source.as_numbers, unit=unit) for name, unit in units.items()
    }
    known = {name: read(name) for name, read in readers.items() if name in source.table}
    return table.assign(**known)
