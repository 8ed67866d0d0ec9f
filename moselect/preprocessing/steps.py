"""The protocol of column transformers: optional methods, and functions that use them.

Beside the methods of scikit-learn, the transformers here and `SplineColumns` have the
following, which user-defined transformers may have, too:

- ``to_document()`` and ``from_document(content)``: serialisation as plain values, under the
  ``document_name``,
- ``terms(features)``: the output columns as formulas, given the formulas of the features; the first
  step has ``terms()`` if it takes tables with columns of any type,
- ``summary``: a description of the transformation,
- ``problems(table)``, ``estimated(table)`` and ``remarks(table)``: unreadable cells,
  unexpected missing values, and unusual values of each row,
- ``only_selects``: whether the output is a selection of the input columns, whatever the training
  data,
- ``held_out_columns_``: out-of-fold columns of the training samples.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from moselect.samples.features import models_in as models_in
from moselect.samples.features import steps_of as steps_of

if TYPE_CHECKING:  # slow to import, and models of numbers do without
    from sklearn.pipeline import Pipeline

MODEL_COLUMNS = "models"  # document name of columns whose models stand in an archive


def columns_document(columns: Pipeline | None) -> list[dict[str, Any]] | None:
    """Return the fitted steps of a transformer as plain values; None if there is none.

    Columns of models are represented by their names.

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


def columns_from_document(
    steps: Sequence[Mapping[str, Any]] | None,
    names: Sequence[str] | None,
    models: Callable[[], Any] | None = None,
) -> Pipeline | None:
    """Return the fitted transformer that a document describes.

    ``names`` are the expected output names; ``models`` returns the columns of models, as
    found by `models_in`.

    Raises
    ------
    LookupError, ValueError
        If the document is invalid, or the output names differ.
    """
    if steps is None:
        return None

    from sklearn.pipeline import make_pipeline

    from moselect.preprocessing import ConditionColumns, Preparation, SplineColumns

    kinds: dict[str, Callable[[Any], Any]] = {
        kind.document_name: kind.from_document
        for kind in (Preparation, SplineColumns, ConditionColumns)
    }
    if models is not None:
        kinds[MODEL_COLUMNS] = lambda _: models()
    columns = make_pipeline(*(kinds[step["step"]](step["content"]) for step in steps))
    if names is not None and list(map(str, columns.get_feature_names_out())) != list(
        names
    ):
        raise ValueError("its weights are for other columns than it makes of a table")
    return columns


def summaries(columns: Any) -> list[str]:
    """Return a description of each preprocessing step."""
    return [step.summary for step in steps_of(columns) if hasattr(step, "summary")]


def only_selects(columns: Any) -> bool:
    """Return whether all steps select columns of the table, whatever the training data."""
    steps = steps_of(columns)
    return all(
        hasattr(type(step), "only_selects") and step.only_selects for step in steps
    )


def cross_fits(columns: Any) -> bool:
    """Return whether training samples get out-of-fold columns."""
    return models_in(columns) is not None
