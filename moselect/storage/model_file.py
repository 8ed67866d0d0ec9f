"""The file of a model: ``model.json``, which people can read and anyone may load.

A pool of models, or a linear model that weighs the scores of other models, is a
``model.skops``: such models beside the same text. Nothing in either is executed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from moselect.columns.steps import columns_document, columns_from_document
from moselect.listing import shortened
from moselect.models.card import ModelCard
from moselect.models.document import FORMAT, MODEL_SCHEMA, ModelDocument, model_document
from moselect.models.model import Model
from moselect.storage.atomic import write_file
from moselect.storage.documents import (
    FIRST_BYTES,
    Header,
    as_json,
    decoded,
    from_skops,
    to_skops,
)


def suffix_of(model: Model) -> str:
    """Return the ending of a file for a model: ``.skops`` if there are other models in it."""
    return ".skops" if model.other_models else ".json"


def check_model_path(path: Path, model: Model) -> None:
    """Raise ValueError if the name of a file is not one for a model."""
    if path.suffix.lower() != ".skops" and model.other_models:
        raise ValueError(
            f"'{path}': the model holds other models, which a text cannot: "
            f"name the file '{path.with_suffix('.skops')}'"
        )


def write_model(
    path: Path,
    model: Any,
    about: Mapping[str, Any] | None = None,
    card: ModelCard | None = None,
    *,
    overwrite: bool = True,
) -> None:
    """Write a model to a file, complete or not at all.

    Parameters
    ----------
    path : Path
        The file; of a pool, or a linear model that weighs the scores of other models, one
        that ends in ``.skops``.
    model : Model
        Such as `ParetoSearch.select` returns; or a fitted `OrdinalPool`,
        `WrappedClassifier`, or a pipeline of a preparation and one. `read_model` returns
        a model that says the same to the last bit, but has no ``evidence``.
    about : mapping, optional
        Further information; plain values that JSON can hold. By default that of the
        model.
    card : ModelCard, optional
        The card of a linear model, by default that of the model.
    overwrite : bool, default=True
        Whether a file of that name may be replaced.

    Raises
    ------
    ValueError
        If the model cannot be read again, such as one that holds a model of one's own, or
        the file has another ending.
    TypeError
        If it is another model.

    Examples
    --------
    >>> import tempfile
    >>> from moselect.models import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0, 2.0], [0.5, 3.0], ["low", "mid", "high"], ["a", "b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_model(Path(folder) / "model.json", model, {"data": "a worked example"})
    ...     read_model(Path(folder) / "model.json").predict([[0.0, 0.0], [2.0, 1.0]])
    array(['low', 'high'], dtype='<U4')
    """
    if not isinstance(model, Model):
        from moselect.models.finished import model_of  # slow

        model = model_of(model)
    check_model_path(path, model)
    write_file(path, model_content(model, about, card), overwrite=overwrite)


def model_content(
    model: Model, about: Mapping[str, Any] | None = None, card: ModelCard | None = None
) -> bytes:
    """Return what `write_model` writes."""
    about, card = model.about if about is None else about, card or model.card
    document = as_json(
        model_document(model, about, card, columns_document(model.columns))
    )
    if not model.other_models:
        return document
    return to_skops({**model.other_models, "document": document.decode()}, "the model")


def read_model(path: Path) -> Model:
    """Read a model, with all that its file says about it. Nothing in the file is executed.

    Raises
    ------
    ValueError
        If there is no such file, it is no model, is damaged, holds types that are not
        trusted, or comes from another version.

    Examples
    --------
    >>> import tempfile
    >>> from moselect.models import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0], [0.5], ["low", "high"], ["age"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_model(Path(folder) / "model.json", model, {"data": "claims"})
    ...     again = read_model(Path(folder) / "model.json")
    >>> again.about, again.card, again.predict([[1.0]]).tolist()
    ({'data': 'claims'}, None, ['high'])
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"cannot read the model '{path}': {error.strerror}") from None
    return model_from(content, path)


def model_from(content: bytes, path: Path | str) -> Model:
    """Return the model of `model_content`; errors as in `read_model`, which name the path."""
    others: dict[str, Any] = {}
    if content.startswith(FIRST_BYTES):
        others = from_skops(content, f"the model '{path}'")
        if not isinstance(others, dict) or "document" not in others:
            raise ValueError(f"'{path}' is not a model, but a {type(others).__name__}")
        content = others["document"].encode()
    reads, renew = Header(FORMAT, MODEL_SCHEMA), "moselect select writes one"
    document = decoded(content, ModelDocument, reads, f"'{path}'", renew)
    try:
        model = document.model(others.get("pool"))
        steps, names = document.columns, document.feature_names
        model.columns = columns_from_document(steps, names, others.get("columns"))
        if document.promise is not None:
            from moselect.decision.promise import Promise  # slow

            model.promise = msgspec.convert(document.promise, Promise)
    except (LookupError, ValueError) as error:
        raise ValueError(f"the model '{path}' is damaged: {shortened(error)}") from None
    return model
