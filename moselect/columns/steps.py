"""What the columns of a model say of themselves, whichever transformers make them.

Beside those of scikit-learn, the transformers here and `SplineColumns` have methods of
their own, which one's own transformers may have:

- ``to_document()`` and ``from_document(content)``: plain values that a file can hold, under their
  ``document_name``,
- ``terms(features)``: their columns as formulas of the features' formulas; the first step has
  ``terms()`` if it takes tables of any columns,
- ``summary``: what they do, in words,
- ``problems(table)``, ``estimated(table)`` and ``remarks(table)``: what is wrong with rows, what
  they lack, and what is unusual in them,
- ``only_selects``: whether their columns are those of the table, whatever they are fitted to,
- ``held_out_columns_``: whether they give each sample columns that were fitted without its fold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from moselect.features import models_in as models_in
from moselect.features import steps_of as steps_of

if TYPE_CHECKING:  # slow to import, and models of numbers do without
    from sklearn.pipeline import Pipeline

    from moselect.columns import ModelColumns


def columns_document(columns: Pipeline | None) -> list[dict[str, Any]] | None:
    """Return the fitted steps of a transformer as plain values; None if there is none.

    Of columns of models it holds their names.

    Raises
    ------
    ValueError
        If a step cannot be written down, such as a transformer of one's own.
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
    models: Callable[[], ModelColumns] | None = None,
) -> Pipeline | None:
    """Return the fitted transformer that a document describes.

    ``names`` are those of the columns that it is to make, and ``models`` gives what
    `models_in` returned.

    Raises
    ------
    LookupError, ValueError
        If it describes none, or one that makes other columns.
    """
    if steps is None:
        return None

    from sklearn.pipeline import make_pipeline

    from moselect.columns import ConditionColumns, ModelColumns, Preparation
    from moselect.models import SplineColumns

    kinds: dict[str, Callable[[Any], Any]] = {
        kind.document_name: kind.from_document
        for kind in (Preparation, SplineColumns, ConditionColumns)
    }
    if models is not None:
        kinds[ModelColumns.document_name] = lambda _: models()
    columns = make_pipeline(*(kinds[step["step"]](step["content"]) for step in steps))
    if names is not None and list(map(str, columns.get_feature_names_out())) != list(
        names
    ):
        raise ValueError("its weights are for other columns than it makes of a table")
    return columns


def summaries(columns: Any) -> list[str]:
    """Return what is done to the columns of a table before they are weighed."""
    return [step.summary for step in steps_of(columns) if hasattr(step, "summary")]


def only_selects(columns: Any) -> bool:
    """Return whether columns are those of the table, whatever they are fitted to."""
    steps = steps_of(columns)
    return all(
        hasattr(type(step), "only_selects") and step.only_selects for step in steps
    )


def cross_fits(columns: Any) -> bool:
    """Return whether each sample gets columns that were fitted without its fold."""
    return models_in(columns) is not None
