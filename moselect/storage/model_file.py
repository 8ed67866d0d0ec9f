"""``model.json``: one linear model as a small file that people can read and anyone may load.

A model that weighs the scores of other models is a ``model.skops``: the same text beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from moselect._validation import shortened
from moselect.columns import ModelColumns
from moselect.columns.steps import columns_document, columns_from_document, models_in
from moselect.models import ModelCard, ModelDocument, OrdinalLinearClassifier
from moselect.models.document import FORMAT, MODEL_SCHEMA, model_document
from moselect.storage.atomic import replacing
from moselect.storage.documents import decoded
from moselect.storage.json_text import as_json
from moselect.storage.pool_file import KeptPool, pool_of
from moselect.storage.schema import check_schema
from moselect.storage.skops_bytes import FIRST_BYTES, from_skops, to_skops

LARGEST_FILE = 64 * 2**20  # bytes; a million weights with names are half of that


class _Heading(msgspec.Struct):
    """The two fields that identify a file as a model."""

    format: Any = None
    schema: Any = None


class KeptModel(NamedTuple):
    """What the file of a linear model holds.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> model = OrdinalLinearClassifier([1.0], [0.5], ["low", "high"], ["age"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_model(Path(folder) / "model.json", model, {"data": "claims"})
    ...     kept = read_kept(Path(folder) / "model.json")
    >>> kept.model.predict([[1.0]]).tolist(), kept.document.about
    (['high'], {'data': 'claims'})
    """

    model: OrdinalLinearClassifier
    document: ModelDocument


def suffix_of(model: OrdinalLinearClassifier) -> str:
    """Return the ending of a file for a model: ``.skops`` if it weighs the scores of models.

    Examples
    --------
    >>> suffix_of(OrdinalLinearClassifier([1.0], [0.5], ["low", "high"], ["age"]))
    '.json'
    """
    return ".json" if models_in(model.columns) is None else ".skops"


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
        The file; of a model that weighs the scores of other models, one that ends in ``.skops``.
    model : OrdinalLinearClassifier
        A model. It comes back from `read_model` to the last bit.
    about : mapping, optional
        Further information, such as costs and data; plain values that JSON can hold.
    card : ModelCard, optional
        The model card.

    Raises
    ------
    ValueError
        If a weight or threshold is larger than 1e150, a label or name longer than 10,000
        characters, the card describes another model, what prepares its columns cannot be written
        down, or the file has another ending.

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
    try:
        decoded(content, ModelDocument)
    except ValueError as error:
        raise ValueError(f"the model cannot be written to a file: {error}") from None
    models = models_in(model.columns)
    if models is not None:
        check_model_path(path, model)
        content = to_skops({"columns": models, "document": content.decode()}, "the model")
    with replacing(path) as file:
        file.write(content)


def check_model_path(path: Path, model: OrdinalLinearClassifier) -> None:
    """Raise ValueError if the name of a file is not one for a model.

    Examples
    --------
    >>> model = OrdinalLinearClassifier([1.0], [0.5], ["low", "high"], ["age"])
    >>> check_model_path(Path("model.json"), model)
    """
    if path.suffix.lower() != ".skops" and suffix_of(model) == ".skops":
        raise ValueError(
            f"'{path}': the model weighs the scores of other models, which a text cannot hold: "
            f"name the file '{path.with_suffix('.skops')}'"
        )


def read_model(path: Path) -> OrdinalLinearClassifier:
    """Read a model from a file. Nothing in the file is executed, and all of it is checked.

    Raises
    ------
    ValueError
        If there is no such file, it is no linear model, is damaged, or comes from another version.

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
    return _read_linear(path).model


def read_model_document(path: Path) -> ModelDocument:
    """Read the text of a model's file: the model, its card and further information.

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
    return _read_linear(path).document


def read_kept(path: Path) -> KeptModel | KeptPool:
    """Read all that the file of a linear model or of a pool holds.

    Raises
    ------
    ValueError
        As `read_model` and `read_pool`.

    Examples
    --------
    >>> import tempfile
    >>> model = OrdinalLinearClassifier([1.0], [0.5], ["low", "high"], ["age"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_model(Path(folder) / "model.json", model, {"data": "claims"})
    ...     kept = read_kept(Path(folder) / "model.json")
    >>> kept.model.predict([[1.0]]).tolist(), kept.document.about
    (['high'], {'data': 'claims'})
    """
    try:
        if path.is_file():
            with path.open("rb") as file:
                first = file.read(len(FIRST_BYTES))
            if first != FIRST_BYTES and path.stat().st_size > LARGEST_FILE:
                raise ValueError(f"'{path}' is not a model: it has more than 64 MB")
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"cannot read the model '{path}': {error.strerror}") from None
    if not content.startswith(FIRST_BYTES):
        return _kept(content, None, path)
    value = from_skops(content, f"the model '{path}'")
    if not isinstance(value, dict) or not isinstance(value.get("columns"), ModelColumns):
        return pool_of(value, path)
    return _kept(str(value.get("document")).encode(), value["columns"], path)


def _read_linear(path: Path) -> KeptModel:
    kept = read_kept(path)
    if isinstance(kept, KeptPool):
        raise ValueError(f"'{path}' is a pool: read it by read_pool")
    return kept


def _kept(content: bytes, models: ModelColumns | None, path: Path) -> KeptModel:
    """Return the linear model of a text, and the text; ``models`` score its columns."""
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
        document = decoded(content, ModelDocument)
        model = document.model()
        model.columns = columns_from_document(document.columns, model.feature_names, models)
    except (ValueError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"the model '{path}' is damaged: {shortened(error)}") from None
    return KeptModel(model, document)
