"""``model.json``: one linear model as a small file that people can read and anyone may load."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from moselect.models import (
    FORMAT,
    MODEL_SCHEMA,
    OrdinalLinearClassifier,
    model_document,
    model_from_document,
)
from moselect.storage.as_json import as_json
from moselect.storage.atomic import replacing


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
    content = as_json(model_document(model, about))
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
        return model_from_document(content)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"the model '{path}' is damaged: {error}") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
