"""``model.json``: one linear model as a small file that people can read and anyone may load."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from moselect.models import (
    FORMAT,
    MODEL_SCHEMA,
    ModelCard,
    ModelDocument,
    OrdinalLinearClassifier,
    model_document,
)
from moselect.storage.atomic import replacing
from moselect.storage.columns_document import columns_document, columns_from_document
from moselect.storage.json_text import as_json
from moselect.storage.schema import check_schema

LARGEST_FILE = 64 * 2**20  # bytes; a million weights with names are half of that


class _Heading(msgspec.Struct):
    """The two fields that identify a file as a model."""

    format: Any = None
    schema: Any = None


def write_model(
    path: Path,
    model: OrdinalLinearClassifier,
    about: Mapping[str, Any] | None = None,
    card: ModelCard | None = None,
) -> None:
    """Write a model to a file, complete or not at all.

    Parameters
    ----------
    path : Path
        The file.
    model : OrdinalLinearClassifier
        A model. It comes back from `read_model` to the last bit.
    about : mapping, optional
        Further information, such as costs and data; plain values that JSON can hold.
    card : ModelCard, optional
        The model card.

    Raises
    ------
    ValueError
        If a weight or threshold is larger than 1e150, the card describes another model, or what
        prepares its columns cannot be written down.

    Examples
    --------
    >>> import tempfile
    >>> from moselect.models import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0, 2.0], [0.5, 3.0], ["low", "mid", "high"], ["a", "b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_model(Path(folder) / "model.json", model, {"data": "a worked example"})
    ...     read_model_document(Path(folder) / "model.json").about
    {'data': 'a worked example'}
    """
    content = as_json(model_document(model, about, card, columns_document(model.columns)))
    with replacing(path) as file:
        file.write(content)


def read_model(path: Path) -> OrdinalLinearClassifier:
    """Read a model from a file. Nothing in the file is executed, and all of it is checked.

    Raises
    ------
    ValueError
        If there is no such file, it is no model, is damaged, or comes from another version.

    Examples
    --------
    >>> import tempfile
    >>> from moselect.models import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0, 2.0], [0.5, 3.0], ["low", "mid", "high"], ["a", "b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_model(Path(folder) / "model.json", model)
    ...     read_model(Path(folder) / "model.json").predict([[0.0, 0.0], [2.0, 1.0]])
    array(['low', 'high'], dtype='<U4')
    """
    return model_of(read_model_document(path))


def model_of(document: ModelDocument) -> OrdinalLinearClassifier:
    """Return the model of a document, with what prepares its columns.

    Examples
    --------
    >>> from moselect.models import ModelDocument
    >>> document = ModelDocument(classes=[1, 2], thresholds=[0.5], coef=[1.0])
    >>> model_of(document).predict([[0.0], [1.0]])
    array([1, 2])
    """
    model = document.model()
    model.columns = columns_from_document(document.columns)
    return model


def read_model_document(path: Path) -> ModelDocument:
    """Read all that a model's file holds: the model, its card and further information.

    Raises
    ------
    ValueError
        As `read_model`.

    Examples
    --------
    >>> import tempfile
    >>> from moselect.models import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0, 2.0], [0.5, 3.0], ["low", "mid", "high"], ["a", "b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_model(Path(folder) / "model.json", model)
    ...     read_model_document(Path(folder) / "model.json").feature_names
    ['a', 'b']
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ValueError(f"'{path}' is not a model: it has more than 64 MB")
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"cannot read the model '{path}': {error.strerror}") from None
    try:
        heading = msgspec.json.decode(content, type=_Heading)
    except msgspec.ValidationError:
        heading = _Heading()  # JSON, but a list or a number
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise ValueError(f"'{path}' is not a model: it is no valid JSON") from None
    if heading.format != FORMAT:
        raise ValueError(f"'{path}' is not a model: moselect select writes one")
    check_schema(
        f"the model '{path}'", heading.schema, MODEL_SCHEMA, "select it again, moselect select"
    )
    try:
        document = msgspec.json.decode(content, type=ModelDocument)
        model_of(document)
    except (ValueError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"the model '{path}' is damaged: {error}") from None
    return document
