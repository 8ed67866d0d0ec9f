"""What turns a table into the columns of a model, as plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sklearn.pipeline import Pipeline, make_pipeline

from moselect.columns import Preparation
from moselect.models import SplineColumns, spline_columns_from_document, spline_document

PREPARATION, SPLINES = "preparation", "splines"


def columns_document(columns: Pipeline | None) -> list[dict[str, Any]] | None:
    """Return the fitted steps of a transformer as values that JSON can hold; None if there is none.

    Raises
    ------
    ValueError
        If a step cannot be written down as text, such as columns of other models.
    """
    if columns is None:
        return None
    steps = []
    for _, step in columns.steps:
        if isinstance(step, Preparation):
            steps.append({"step": PREPARATION, "content": step.to_document()})
        elif isinstance(step, SplineColumns):
            steps.append({"step": SPLINES, "content": spline_document(step)})
        else:
            raise ValueError(
                f"columns of {type(step).__name__} cannot be written as text: keep the model "
                "in Python, or search with columns='features' or 'splines'"
            )
    return steps


def columns_from_document(steps: Sequence[Mapping[str, Any]] | None) -> Pipeline | None:
    """Return the fitted transformer that a document describes; all of it is checked.

    Raises
    ------
    ValueError
        If it describes none.
    """
    if steps is None:
        return None
    readers = {PREPARATION: Preparation.from_document, SPLINES: spline_columns_from_document}
    found: list[Any] = []
    for step in steps:
        kind = step.get("step")
        if set(step) != {"step", "content"} or kind not in readers:
            raise ValueError(f"unknown step of the columns: {str(kind)[:50]!r}")
        found.append(readers[str(kind)](step["content"]))
    if not found:
        raise ValueError("the columns have no steps")
    return make_pipeline(*found)
