"""``model.json``: one linear model as a small file that people can read and anyone may load."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from moselect.models import OrdinalLinearClassifier
from moselect.storage.as_json import as_json
from moselect.storage.atomic import replacing

FORMAT = "moselect model"
MODEL_SCHEMA = 1
LABELS = (bool, int, float, str)


def write_model(
    path: Path, model: OrdinalLinearClassifier, about: Mapping[str, Any] | None = None
) -> None:
    """Write a model to a file, complete or not at all.

    Parameters
    ----------
    path : Path
        The file.
    model : OrdinalLinearClassifier
        A model. It comes back from `read_model` to the last bit.
    about : mapping, optional
        What else is worth knowing of it, such as costs and data; plain values that JSON can hold.
    """
    names = model.feature_names
    content = as_json(
        {
            "format": FORMAT,
            "schema": MODEL_SCHEMA,
            "classes": model.classes_.tolist(),
            "thresholds": model.thresholds_.tolist(),
            "feature_names": None if names is None else list(names),
            "coef": model.coef_.tolist(),
            "about": dict(about or {}),
        }
    )
    with replacing(path) as file:
        file.write(content)


def read_model(path: Path) -> OrdinalLinearClassifier:
    """Read a model from a file. Nothing in the file is executed, and all of it is checked.

    Raises
    ------
    ValueError
        If there is no such file, it is no model, is damaged, or comes from another version.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse_constant)
    except OSError as error:
        raise ValueError(f"cannot read the model '{path}': {error.strerror}") from None
    except (ValueError, RecursionError):
        raise ValueError(f"'{path}' is not a model: it is no valid JSON") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError(f"'{path}' is not a model: moselect select writes one")
    if content.get("schema") != MODEL_SCHEMA:
        raise ValueError(
            f"the model '{path}' has schema {content.get('schema')}, "
            f"but this version reads schema {MODEL_SCHEMA}"
        )
    try:
        return _model(content)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"the model '{path}' is damaged: {error}") from None


def _model(content: Mapping[str, Any]) -> OrdinalLinearClassifier:
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


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
