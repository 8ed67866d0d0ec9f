"""What turns a table into the columns of a model, as plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sklearn.pipeline import Pipeline, make_pipeline

from moselect._validation import shortened
from moselect.columns import ModelColumns, Preparation
from moselect.models import SplineColumns
from moselect.models.additive.spline_columns import spline_columns_from_document, spline_document

PREPARATION, SPLINES, MODELS = "preparation", "splines", "models"


def columns_document(columns: Pipeline | None) -> list[dict[str, Any]] | None:
    """Return the fitted steps of a transformer as values that JSON can hold; None if there is none.

    Of columns of models it holds their names; `models_in` returns what cannot be written as text.

    Raises
    ------
    ValueError
        If a step cannot be written down, such as a transformer of one's own.
    """
    if columns is None:
        return None
    steps = []
    for _, step in columns.steps:
        if isinstance(step, Preparation):
            steps.append({"step": PREPARATION, "content": step.to_document()})
        elif isinstance(step, SplineColumns):
            steps.append({"step": SPLINES, "content": spline_document(step)})
        elif isinstance(step, ModelColumns):
            steps.append({"step": MODELS, "content": {"models": step.pool_.model_names_}})
        else:
            raise ValueError(
                f"columns of {type(step).__name__} cannot be written to a file: keep the model "
                "in Python, or search with columns='features', 'splines' or 'models'"
            )
    return steps


def models_in(columns: Pipeline | None) -> ModelColumns | None:
    """Return the step of a transformer that scores samples by models; None if there is none."""
    last = None if columns is None else columns.steps[-1][1]
    return last if isinstance(last, ModelColumns) else None


def columns_from_document(
    steps: Sequence[Mapping[str, Any]] | None, models: ModelColumns | None = None
) -> Pipeline | None:
    """Return the fitted transformer that a document describes; all of it is checked.

    Parameters
    ----------
    steps : sequence of mapping, or None
        As `columns_document` returns them.
    models : ModelColumns, optional
        What `models_in` returned, where a step names models.

    Raises
    ------
    ValueError
        If it describes none.
    """
    if steps is None:
        return None
    readers: dict[str, Callable[[Any], Any]] = {
        PREPARATION: Preparation.from_document,
        SPLINES: spline_columns_from_document,
        MODELS: lambda content: _matching(models, content),
    }
    found: list[Any] = []
    for step in steps:
        kind = step.get("step")
        if set(step) != {"step", "content"} or not (isinstance(kind, str) and kind in readers):
            raise ValueError(f"unknown step of the columns: {shortened(kind)!r}")
        found.append(readers[kind](step["content"]))
    if not found:
        raise ValueError("the columns have no steps")
    return make_pipeline(*found)


def check_column_names(columns: Pipeline | None, names: Sequence[str] | None, n: int) -> None:
    """Raise ValueError unless the columns that a transformer makes, or ``n``, are those weighed."""
    if columns is not None:
        made = [str(name) for name in columns.get_feature_names_out()]
        if names is not None and made != list(names):
            raise ValueError("its weights are for other columns than it makes of a table")
    elif names is not None and len(names) != n:
        raise ValueError(f"it has weights for {len(names)} features, not {n}")


def _matching(models: ModelColumns | None, content: Any) -> ModelColumns:
    """Return the models if they are those that a document names."""
    if models is None:
        raise ValueError("its columns are scores of models, which are kept in a file .skops")
    if not hasattr(models, "pool_") or content != {"models": list(models.pool_.model_names_)}:
        raise ValueError("the models of its columns are others")
    return models
