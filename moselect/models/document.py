"""One linear model as plain values: what stands in a ``model.json``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from moselect.models.linear import OrdinalLinearClassifier

FORMAT = "moselect model"
MODEL_SCHEMA = 1
LABELS = (bool, int, float, str)


def model_document(
    model: OrdinalLinearClassifier, about: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Give a model as values that JSON can hold, to the last bit.

    Parameters
    ----------
    model : OrdinalLinearClassifier
        A model.
    about : mapping, optional
        What else is worth knowing of it, such as costs and data.
    """
    names = model.feature_names
    return {
        "format": FORMAT,
        "schema": MODEL_SCHEMA,
        "classes": model.classes_.tolist(),
        "thresholds": model.thresholds_.tolist(),
        "feature_names": None if names is None else list(names),
        "coef": model.coef_.tolist(),
        "about": dict(about or {}),
    }


def model_from_document(content: Mapping[str, Any]) -> OrdinalLinearClassifier:
    """Give the model that a document of this schema describes; all of it is checked.

    Raises
    ------
    ValueError
        If it describes none.
    """
    coef = _list(content, "coef", (int, float))
    thresholds = _list(content, "thresholds", (int, float))
    classes = _list(content, "classes", LABELS)
    if len({type(label) for label in classes}) > 1 or len(set(classes)) < max(2, len(classes)):
        raise ValueError("classes must be at least two different labels of one kind")
    names = None
    if content.get("feature_names") is not None:
        names = _list(content, "feature_names", (str,))
        if len(set(names)) != len(coef) or len(names) != len(coef):
            raise ValueError(f"feature_names must be {len(coef)} different names, one a coef")
    return OrdinalLinearClassifier(coef, thresholds, classes, names)


def _list(content: Mapping[str, Any], name: str, kinds: tuple[type, ...]) -> list[Any]:
    values = content.get(name)
    if not isinstance(values, list) or not values:
        raise ValueError(f"{name} must be a list")
    for value in values:
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise ValueError(f"{name} holds {str(value)[:50]!r}")
    return values
