"""The file of a model: ``model.json`` for a linear one, which people can read and anyone may load.

A pool of models, or a linear model that weighs the scores of other models, is a ``model.skops``:
such models beside the same text. Nothing in either is executed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from moselect._validation import check_cost_matrix
from moselect.columns.steps import (
    columns_document,
    columns_from_document,
    models_in,
    steps_of,
)
from moselect.listing import shortened
from moselect.models.card import ModelCard, ScoreCalibration
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
    from sklearn.pipeline import Pipeline

    from moselect.columns import Preparation
    from moselect.decision import SelectedPool
    from moselect.models import OrdinalLinearClassifier, OrdinalPool

    Model: TypeAlias = OrdinalLinearClassifier | OrdinalPool | SelectedPool | Pipeline


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
    calibration : ScoreCalibration or None
        From the score of a linear model to class probabilities.
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
    calibration: ScoreCalibration | None = None
    preparation: Preparation | None = None
    cost_matrix: NDArray[np.float64] | None = None

    @property
    def model(self) -> Model:
        """The model as an estimator, as it was written."""
        from moselect.decision import SelectedClassifier, SelectedPool
        from moselect.models import OrdinalLinearClassifier

        if isinstance(self.predictor, LinearModel):
            known = vars(self.predictor)
            if self.calibration is None:
                return OrdinalLinearClassifier(**known)
            return SelectedClassifier(**known, calibration=self.calibration)
        model = self.predictor
        if self.preparation is not None:
            from sklearn.pipeline import make_pipeline

            model = make_pipeline(self.preparation, model)
        if self.cost_matrix is None:
            return model
        return SelectedPool(model, self.predictor.classes_, self.cost_matrix)


def suffix_of(model: Model) -> str:
    """Return the ending of a file for a model: ``.skops`` if there are other models in it."""
    linear = isinstance(model, LinearModel) and models_in(model.columns) is None
    return ".json" if linear else ".skops"


def check_model_path(path: Path, model: Model) -> None:
    """Raise ValueError if the name of a file is not one for a model."""
    if path.suffix.lower() != ".skops" and suffix_of(model) == ".skops":
        raise ValueError(
            f"'{path}': the model holds other models, which a text cannot: "
            f"name the file '{path.with_suffix('.skops')}'"
        )


def write_model(
    path: Path,
    model: Model,
    about: Mapping[str, Any] | None = None,
    card: ModelCard | None = None,
    *,
    overwrite: bool = True,
) -> None:
    """Write a model to a file, complete or not at all.

    Parameters
    ----------
    path : Path
        The file; of a pool, or a linear model that weighs the scores of other models, one that ends
        in ``.skops``.
    model : OrdinalLinearClassifier, SelectedPool, OrdinalPool or Pipeline
        A fitted model, such as `ParetoSearch.select` returns; of pipelines, a preparation and a
        pool. `read_model` returns one that says the same to the last bit, but has no ``evidence``.
    about : mapping, optional
        Further information; plain values that JSON can hold.
    card : ModelCard, optional
        The card of a linear model.
    overwrite : bool, default=True
        Whether a file of that name may be replaced.

    Raises
    ------
    ValueError
        If the model cannot be read again, such as one that holds a model of one's own, the costs do
        not fit, or the file has another ending.
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
    check_model_path(path, model)
    write_file(path, model_content(model, about, card), overwrite=overwrite)


def model_content(
    model: Model, about: Mapping[str, Any] | None = None, card: ModelCard | None = None
) -> bytes:
    """Return what `write_model` writes."""
    if not isinstance(model, LinearModel):
        return _pool_content(model, about)
    content = as_json(model_document(model, about, card, columns_document(model.columns)))
    models = models_in(model.columns)
    if models is not None:
        content = to_skops({"columns": models, "document": content.decode()}, "the model")
    return content


def _pool_content(
    model: OrdinalPool | SelectedPool | Pipeline, about: Mapping[str, Any] | None
) -> bytes:
    """Return a pool or classifier, what is done before it, and the costs by which it decides."""
    from sklearn.utils.validation import check_is_fitted

    from moselect.models import OrdinalPool, WrappedClassifier

    *before, pool = steps_of(getattr(model, "pipeline", model))
    if not isinstance(pool, OrdinalPool | WrappedClassifier):
        raise TypeError(
            f"a file holds a linear model, a pool or a WrappedClassifier, no {type(pool).__name__}"
        )
    check_is_fitted(pool)
    costs = getattr(model, "costs", None)
    document = {
        "preparation": before[0].to_document() if before else None,
        "cost_matrix": None if costs is None else check_cost_matrix(costs, len(pool.classes_)),
        "about": dict(about or {}),
    }
    return to_skops({"pool": pool, "document": as_json(document).decode()}, "the model")


def read_model(path: Path) -> Model:
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
        if any(model.n_classes != n_classes for model in getattr(pool, "models_", ())):
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
    card, calibration = document.card, document.calibration
    if card is not None:
        calibration = card.calibration
    return ModelFile(model, document.about, card, calibration)
