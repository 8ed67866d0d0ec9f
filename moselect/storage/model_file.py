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

from moselect._validation import check_cost_matrix
from moselect.columns.steps import (
    columns_document,
    columns_from_document,
    models_in,
    steps_of,
)
from moselect.listing import shortened
from moselect.models.card import ModelCard
from moselect.models.document import FORMAT, MODEL_SCHEMA, ModelDocument, model_document
from moselect.models.linear_model import LinearModel
from moselect.models.referral import Referral
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

    from moselect.decision import SelectedPool
    from moselect.models import OrdinalLinearClassifier, OrdinalPool
    from moselect.models.model import Model

    Estimator: TypeAlias = OrdinalLinearClassifier | SelectedPool | OrdinalPool | Pipeline


@dataclass(frozen=True, eq=False)
class ModelFile:
    """What the file of a model holds.

    Attributes
    ----------
    predictor : LinearModel or SelectedPool
        What `predict_table` takes; a linear model without the methods of an estimator.
    about : dict
        Further information, such as costs and data.
    card : ModelCard or None
        The model card.

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

    predictor: Model
    about: dict[str, Any]
    card: ModelCard | None = None

    @property
    def model(self) -> Estimator:
        """The model as an estimator, as it was written."""
        return self.predictor.as_estimator()


def suffix_of(model: Estimator) -> str:
    """Return the ending of a file for a model: ``.skops`` if there are other models in it."""
    return ".skops" if _other_models(model) else ".json"


def check_model_path(path: Path, model: Estimator) -> None:
    """Raise ValueError if the name of a file is not one for a model."""
    if path.suffix.lower() != ".skops" and suffix_of(model) == ".skops":
        raise ValueError(
            f"'{path}': the model holds other models, which a text cannot: "
            f"name the file '{path.with_suffix('.skops')}'"
        )


def write_model(
    path: Path,
    model: Estimator,
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
    model: Estimator, about: Mapping[str, Any] | None = None, card: ModelCard | None = None
) -> bytes:
    """Return what `write_model` writes."""
    models = _other_models(model)
    if "pool" in models:
        *before, _ = steps_of(getattr(model, "pipeline", model))
        costs, referral = (getattr(model, name, None) for name in ("costs", "referral"))
        document = {
            "preparation": before[0].to_document() if before else None,
            "cost_matrix": _checked(costs, models["pool"], referral),
            "referral": msgspec.to_builtins(referral),
            "about": dict(about or {}),
            "promise": msgspec.to_builtins(getattr(model, "promise", None)),
        }
    else:
        document = model_document(model, about, card, columns_document(model.columns))
    content = as_json(document)
    return to_skops({**models, "document": content.decode()}, "the model") if models else content


def _other_models(model: Estimator) -> dict[str, Any]:
    """Return the models in a model, which a text cannot hold."""
    if isinstance(model, LinearModel):
        models = models_in(model.columns)
        return {} if models is None else {"columns": models}

    from sklearn.utils.validation import check_is_fitted

    from moselect.models import OrdinalPool, WrappedClassifier

    pool = steps_of(getattr(model, "pipeline", model))[-1]
    if not isinstance(pool, OrdinalPool | WrappedClassifier):
        raise TypeError(
            f"a file holds a linear model, a pool or a WrappedClassifier, no {type(pool).__name__}"
        )
    check_is_fitted(pool)
    return {"pool": pool}


def read_model(path: Path) -> Estimator:
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
        return _with_pool(value["pool"], msgspec.json.decode(content), path)
    reads, renew = Header(FORMAT, MODEL_SCHEMA), "moselect select writes one"
    document = decoded(content, ModelDocument, reads, f"'{path}'", renew)
    try:
        model, models = document.model(), value.get("columns")
        model.columns = columns_from_document(document.columns, model.feature_names, models)
    except (LookupError, ValueError) as error:
        raise ValueError(f"the model '{path}' is damaged: {shortened(error)}") from None
    card = document.card
    model.calibration = document.calibration if card is None else card.calibration
    model.promise = _promise(document.promise)
    return ModelFile(model, document.about, card)


def _promise(known: dict[str, Any] | None) -> Any:
    if known is None:
        return None

    from moselect.decision.promise import Promise

    return msgspec.convert(known, Promise)


def _checked(costs: Any, pool: Any, referral: Referral | None) -> Any:
    """Return the costs of a pool, if it has some; ValueError if they do not fit."""
    n_classes = len(pool.classes_)
    return costs if costs is None else check_cost_matrix(costs, n_classes, referral=bool(referral))


def _with_pool(pool: Any, document: dict[str, Any], path: Path) -> ModelFile:
    from sklearn.pipeline import make_pipeline

    from moselect.columns import Preparation
    from moselect.decision import SelectedPool

    costs, prepared = document["cost_matrix"], document["preparation"]
    n_classes = len(pool.classes_)
    if any(model.n_classes != n_classes for model in getattr(pool, "models_", ())):
        raise ValueError(f"the model '{path}' is damaged: its parts are of other classes")
    fitted = pool if prepared is None else make_pipeline(Preparation.from_document(prepared), pool)
    referral = msgspec.convert(document.get("referral"), Referral | None)
    costs, promise = _checked(costs, pool, referral), _promise(document.get("promise"))
    model = SelectedPool(fitted, pool.classes_, costs, None, promise, referral)
    return ModelFile(model, document["about"])
