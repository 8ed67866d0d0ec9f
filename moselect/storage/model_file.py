"""The file of a model: ``model.json`` for a linear one, which people can read and anyone may load.

A pool of models, or a linear model that weighs the scores of other models, is a ``model.skops``:
such models beside the same text. Nothing in either is executed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect._validation import check_cost_matrix
from moselect.columns.steps import columns_document, columns_from_document, models_in
from moselect.listing import shortened
from moselect.models.card import ModelCard
from moselect.models.document import FORMAT, MODEL_SCHEMA, ModelDocument, model_document
from moselect.models.linear_model import LinearModel
from moselect.storage.atomic import write_file
from moselect.storage.documents import (
    FIRST_BYTES,
    Header,
    as_json,
    decoded,
    from_skops,
    to_skops,
)

if TYPE_CHECKING:  # slow to import, and linear models do without
    from moselect.columns import Preparation
    from moselect.models import OrdinalLinearClassifier, OrdinalPool


@dataclass(frozen=True, eq=False)
class ModelFile:
    """What the file of a model holds.

    Attributes
    ----------
    predictor : LinearModel or OrdinalPool
        What `predict_table` takes; a linear model without the methods of an estimator.
    about : dict
        Further information, such as costs and data.
    card : ModelCard or None
        The model card.
    preparation : Preparation or None
        What turns a table into the numbers that a pool takes.
    cost_matrix : ndarray of shape (r, r), or None
        The costs by which a pool decides; without them it predicts the most probable class.

    Examples
    --------
    >>> import tempfile
    >>> from moselect.models import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0], [0.5], ["low", "high"], ["age"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_model(Path(folder) / "model.json", model, {"data": "claims"})
    ...     read_model_file(Path(folder) / "model.json").about
    {'data': 'claims'}
    """

    predictor: LinearModel | OrdinalPool
    about: dict[str, Any]
    card: ModelCard | None = None
    preparation: Preparation | None = None
    cost_matrix: NDArray[np.float64] | None = None

    @property
    def model(self) -> OrdinalLinearClassifier | OrdinalPool:
        """The model as an estimator."""
        from moselect.models import OrdinalLinearClassifier

        if isinstance(self.predictor, LinearModel):
            return OrdinalLinearClassifier(**vars(self.predictor))
        return self.predictor


def suffix_of(model: OrdinalLinearClassifier | OrdinalPool) -> str:
    """Return the ending of a file for a model: ``.skops`` if there are other models in it."""
    linear = isinstance(model, LinearModel) and models_in(model.columns) is None
    return ".json" if linear else ".skops"


def check_model_path(path: Path, model: OrdinalLinearClassifier | OrdinalPool) -> None:
    """Raise ValueError if the name of a file is not one for a model."""
    if path.suffix.lower() != ".skops" and suffix_of(model) == ".skops":
        raise ValueError(
            f"'{path}': the model holds other models, which a text cannot: "
            f"name the file '{path.with_suffix('.skops')}'"
        )


def write_model(
    path: Path,
    model: OrdinalLinearClassifier | OrdinalPool,
    about: Mapping[str, Any] | None = None,
    card: ModelCard | None = None,
    *,
    preparation: Preparation | None = None,
    cost_matrix: ArrayLike | None = None,
    overwrite: bool = True,
) -> None:
    """Write a model to a file, complete or not at all.

    Parameters
    ----------
    path : Path
        The file; of a pool, or a linear model that weighs the scores of other models, one that ends
        in ``.skops``.
    model : OrdinalLinearClassifier or OrdinalPool
        A fitted model. It comes back from `read_model` to the last bit.
    about : mapping, optional
        Further information; plain values that JSON can hold.
    card : ModelCard, optional
        The card of a linear model.
    preparation : Preparation, optional
        What turns a table into the numbers that a pool takes; fitted.
    cost_matrix : array-like of shape (r, r), optional
        The costs by which `moselect predict` decides with a pool; otherwise by the greatest
        probability.
    overwrite : bool, default=True
        Whether a file of that name may be replaced.

    Raises
    ------
    ValueError
        If the model cannot be read again, such as one that holds a model of one's own, the costs do
        not fit, or the file has another ending.

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
    check_model_path(path, model)
    content = model_content(model, about, card, preparation, cost_matrix)
    write_file(path, content, overwrite=overwrite)


def model_content(
    model: OrdinalLinearClassifier | OrdinalPool,
    about: Mapping[str, Any] | None = None,
    card: ModelCard | None = None,
    preparation: Preparation | None = None,
    cost_matrix: ArrayLike | None = None,
) -> bytes:
    """Return what `write_model` writes."""
    if not isinstance(model, LinearModel):
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(model)
        document = {
            "preparation": None if preparation is None else preparation.to_document(),
            "cost_matrix": None
            if cost_matrix is None
            else check_cost_matrix(cost_matrix, len(model.classes_)),
            "about": dict(about or {}),
        }
        return to_skops({"pool": model, "document": as_json(document).decode()}, "the pool")
    content = as_json(model_document(model, about, card, columns_document(model.columns)))
    models = models_in(model.columns)
    if models is not None:
        content = to_skops({"columns": models, "document": content.decode()}, "the model")
    return content


def read_model(path: Path) -> OrdinalLinearClassifier | OrdinalPool:
    """Read a model from a file; see `read_model_file`.

    Examples
    --------
    >>> import tempfile
    >>> from moselect.models import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0], [0.5], ["low", "high"], ["age"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_model(Path(folder) / "model.json", model)
    ...     read_model(Path(folder) / "model.json").predict([[1.0]]).tolist()
    ['high']
    """
    return read_model_file(path).model


def read_model_file(path: Path) -> ModelFile:
    """Read all that the file of a model holds. Nothing in the file is executed.

    Raises
    ------
    ValueError
        If there is no such file, it is no model, is damaged, holds types that are not trusted, or
        comes from another version.

    Examples
    --------
    >>> import tempfile
    >>> from moselect.models import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0], [0.5], ["low", "high"], ["age"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_model(Path(folder) / "model.json", model, {"data": "claims"})
    ...     found = read_model_file(Path(folder) / "model.json")
    >>> found.about, found.card
    ({'data': 'claims'}, None)
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"cannot read the model '{path}': {error.strerror}") from None
    value: dict[str, Any] = {}
    if content.startswith(FIRST_BYTES):
        value = from_skops(content, f"the model '{path}'")
        if not isinstance(value, dict) or "document" not in value:
            raise ValueError(f"'{path}' is not a model, but a {type(value).__name__}")
        content = value["document"].encode()
    if "pool" in value:
        from moselect.columns import Preparation

        pool, document = value["pool"], msgspec.json.decode(content)
        costs, prepared = document["cost_matrix"], document["preparation"]
        n_classes = len(pool.classes_)
        if any(model.n_classes != n_classes for model in pool.models_):
            raise ValueError(f"the model '{path}' is damaged: its parts are of other classes")
        return ModelFile(
            pool,
            document["about"],
            preparation=None if prepared is None else Preparation.from_document(prepared),
            cost_matrix=None if costs is None else check_cost_matrix(costs, n_classes),
        )
    reads, renew = Header(FORMAT, MODEL_SCHEMA), "moselect select writes one"
    document = decoded(content, ModelDocument, reads, f"'{path}'", renew)
    try:
        model, models = document.model(), value.get("columns")
        model.columns = columns_from_document(document.columns, model.feature_names, models)
    except (LookupError, ValueError) as error:
        raise ValueError(f"the model '{path}' is damaged: {shortened(error)}") from None
    return ModelFile(model, document.about, document.card)
