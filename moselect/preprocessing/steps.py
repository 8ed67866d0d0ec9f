"""`Steps`: preprocessing steps in turn, as a fitted model applies them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Self

import msgspec
import pandas as pd

from moselect._types import Array, Document, Table
from moselect.preprocessing.columns import Columns, Opaque, PreparedRows
from moselect.preprocessing.condition_columns import ConditionColumns
from moselect.preprocessing.graph_columns import MODEL_COLUMNS, GraphColumns
from moselect.preprocessing.preparation import Preparation
from moselect.preprocessing.spline_columns import SplineColumns
from moselect.preprocessing.terms import Number, Term
from moselect.tables.features import names_or_numbers, steps_of


class Steps:
    """Sequence of steps from a table to features; without steps the table is used unchanged.

    Parameters
    ----------
    steps : sequence of transformers
        Such as a `Preparation` and `SplineColumns`, fitted; others are wrapped.
    """

    def __init__(self, steps: Sequence[object] = ()) -> None:
        self.steps = [
            step if isinstance(step, Columns) else Opaque(step) for step in steps
        ]
        # The step that takes the table; without steps one of unchanged features.
        self.first = self.steps[0] if self.steps else Columns()
        self.last = self.steps[-1] if self.steps else Columns()

    @classmethod
    def of(cls, transformer: object) -> Steps:
        """Return the steps of a transformer or a pipeline of scikit-learn; none of None."""
        if isinstance(transformer, Steps):
            return transformer
        return cls(steps_of(transformer))

    def transform(self, X: Table) -> Any:
        """Apply all steps to a table."""
        for step in self.steps:
            X = step.transform(X)
        return X

    def read(self, table: pd.DataFrame) -> PreparedRows:
        """Apply all steps to the rows that can be read, with remarks on each row."""
        rows = self.first.read(table)
        later = self.steps[1:]
        if not later or not len(rows.features):
            return rows
        features = self.first.named(rows.features)
        for step in later:
            features = step.transform(features)
        return replace(rows, features=features)

    @property
    def only_selects(self) -> bool:
        """Whether all steps select columns of the table, whatever the training data."""
        return all(step.only_selects for step in self.steps)

    @property
    def cross_fitted(self) -> bool:
        """Whether training samples get out-of-fold columns."""
        return any(step.cross_fitted for step in self.steps)

    @property
    def arrays(self) -> Mapping[str, Array]:
        """Arrays of the step that holds models; none without one."""
        return {name: array for step in self.steps for name, array in step.arrays.items()}

    def terms_of(self, names: Sequence[str]) -> tuple[Term, ...]:
        """Return the outputs as formulas of the columns of the table.

        ``names`` are the columns without steps. ValueError if a step has no formula.
        """
        if self.steps:
            names = names_or_numbers(self.first.names_in, self.first.n_features_in_)
        terms: tuple[Term, ...] = tuple(map(Number, names))
        for step in self.steps:
            terms = step.terms(terms)
        return terms

    def to_documents(self) -> list[Document] | None:
        """Serialise all steps as plain values, except arrays; None if there is none.

        ValueError if a step cannot be serialised, such as a transformer of the user's.
        """
        documents = [
            {"step": step.document_name, "content": step.to_document()}
            for step in self.steps
        ]
        return msgspec.to_builtins(documents) or None

    @classmethod
    def from_documents(
        cls, documents: Sequence[Document] | None, arrays: Mapping[str, Array]
    ) -> Self:
        """Return the fitted steps that documents describe.

        ``arrays`` belong to the graph of models. LookupError or ValueError if a document is
        invalid.
        """
        makers: dict[str, Callable[..., Columns]] = {
            step.document_name: step.from_document
            for step in (Preparation, SplineColumns, ConditionColumns)
        }
        makers[MODEL_COLUMNS] = partial(GraphColumns.from_document, arrays=arrays)
        return cls([makers[step["step"]](step["content"]) for step in documents or ()])
