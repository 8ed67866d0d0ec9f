"""The file of a model: ``model.json``, which people can read and anyone may load.

A pool of models, or a linear model that weighs the scores of other models, is a
``model.skops``: such models beside the same text. Nothing in either is executed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import msgspec

from moselect.io.atomic import write_file
from moselect.io.documents import (
    FIRST_BYTES,
    Header,
    as_json,
    decoded,
    from_skops,
    text_of,
    to_skops,
    with_text,
)
from moselect.listing import shortened
from moselect.predictor.card import ModelCard
from moselect.predictor.document import (
    FORMAT,
    MODEL_SCHEMA,
    ModelDocument,
    model_document,
    other_models,
)
from moselect.predictor.model import Model
from moselect.predictor.scorers import Classifier
from moselect.preprocessing.steps import columns_document, columns_from_document


class ArchivedClassifier(Classifier):
    """A classifier in an archive, which is read when it is first asked something."""

    archive: bytes
    path: str | os.PathLike[str]

    def __init__(
        self, archive: bytes, path: str | os.PathLike[str], estimator: Any = None
    ) -> None:
        vars(self).update(archive=archive, path=path)
        if estimator is not None:
            vars(self)["estimator"] = estimator

    @cached_property
    def estimator(self) -> Any:
        """The classifier; errors as in `read_model`."""
        return _of_archive(self.archive, self.path, "ensemble")


def _of_archive(archive: bytes, path: str | os.PathLike[str], name: str) -> Any:
    models = from_skops(archive, f"the model '{path}'")
    if not isinstance(models, dict) or name not in models:
        raise ValueError(f"'{path}' is not a model, but a {type(models).__name__}")
    return models[name]


def suffix_of(model: Model) -> str:
    """Return the ending of a file for a model: ``.skops`` if there are other models in it."""
    return ".skops" if model.holds_models else ".json"


def check_model_path(path: Path, model: Model) -> None:
    """Raise ValueError if the name of a file is not one for a model."""
    if path.suffix.lower() != ".skops" and model.holds_models:
        raise ValueError(
            f"'{path}': the model holds other models, which a text cannot: "
            f"name the file '{path.with_suffix('.skops')}'"
        )


def write_model(
    path: str | os.PathLike[str],
    model: Any,
    about: Mapping[str, Any] | None = None,
    card: ModelCard | None = None,
    *,
    overwrite: bool = True,
) -> None:
    """Write a model to a file, complete or not at all.

    Parameters
    ----------
    path : str or PathLike
        The file; of a pool, or a linear model that weighs the scores of other models, one
        that ends in ``.skops``.
    model : Model
        Such as `ParetoSearch.select` returns; or a fitted `OrdinalStacking`,
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
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0, 2.0], [0.5, 3.0], ["low", "mid", "high"], ["a", "b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_model(f"{folder}/model.json", model, {"data": "a worked example"})
    ...     read_model(f"{folder}/model.json").predict([[0.0, 0.0], [2.0, 1.0]])
    array(['low', 'high'], dtype='<U4')
    """
    if not isinstance(model, Model):
        from moselect.predictor.finished import model_of  # slow

        model = model_of(model)
    path = Path(path)
    check_model_path(path, model)
    parts = model_parts(model, about, card)
    text = parts["document"]
    content = with_text(parts["models"], text) if "models" in parts else text
    write_file(path, content, overwrite=overwrite)


def model_parts(
    model: Model, about: Mapping[str, Any] | None = None, card: ModelCard | None = None
) -> dict[str, bytes]:
    """Return the text that `write_model` writes, and the archive of models if there are some."""
    about, card = model.about if about is None else about, card or model.card
    columns = columns_document(model.columns)
    parts = {"document": as_json(model_document(model, about, card, columns))}
    if isinstance(model.scorer, ArchivedClassifier):
        return {**parts, "models": model.scorer.archive}
    others = other_models(model)
    return {**parts, "models": to_skops(others, "the model")} if others else parts


def read_model(path: str | os.PathLike[str]) -> Model:
    """Read a model, with all that its file says about it. Nothing in the file is executed.

    Raises
    ------
    ValueError
        If there is no such file, it is no model, is damaged, holds types that are not
        trusted, or comes from another version.

    Examples
    --------
    >>> import tempfile
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0], [0.5], ["low", "high"], ["age"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_model(f"{folder}/model.json", model, {"data": "claims"})
    ...     again = read_model(f"{folder}/model.json")
    >>> again.about, again.card, again.predict([[1.0]]).tolist()
    ({'data': 'claims'}, None, ['high'])
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"cannot read the model '{path}': {error.strerror}") from None
    if not content.startswith(FIRST_BYTES):
        return model_from(content, None, path)
    model = model_from(text_of(content, f"the model '{path}'"), content, path)
    if isinstance(model.scorer, ArchivedClassifier):
        model = model.replace(scorer=Classifier(model.scorer.estimator))
    return model


def model_from(
    content: bytes, archive: bytes | None, path: str | os.PathLike[str]
) -> Model:
    """Return the model of `model_parts`; errors as in `read_model`, which name the path.

    A classifier in it is read when it is first asked something.
    """
    reads, renew = Header(FORMAT, MODEL_SCHEMA), "moselect select writes one"
    document = decoded(content, ModelDocument, reads, f"'{path}'", renew)
    try:
        scorer = models = None
        if archive is not None:
            models = partial(_of_archive, archive, path, "columns")
            scorer = None if document.coef else ArchivedClassifier(archive, path)
        model = document.model(scorer)
        steps, names = document.columns, document.feature_names
        model.columns = columns_from_document(steps, names, models)
        if document.reference is not None:
            from moselect.selection.reference import Reference  # slow

            model.reference = msgspec.convert(document.reference, Reference)
    except (LookupError, ValueError) as error:
        raise ValueError(f"the model '{path}' is damaged: {shortened(error)}") from None
    return model
