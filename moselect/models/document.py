"""One linear model as plain values: what stands in a ``model.json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from moselect.models.card import ModelCard, Numbers, ScoreCalibration
from moselect.models.linear_model import LinearModel
from moselect.models.referral import Referral

FORMAT: Final = "moselect model"
MODEL_SCHEMA: Final = 1

Label = bool | int | float | str


class ModelDocument(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a ``model.json`` holds: the model, its card, and further information.

    Examples
    --------
    >>> from moselect.models import OrdinalLinearClassifier
    >>> from moselect.models.document import model_document
    >>> model = OrdinalLinearClassifier([2.0], [3.0], ["low", "high"], ["speed"])
    >>> document = msgspec.convert(model_document(model), ModelDocument)
    >>> document.coef, document.model().classes_.tolist()
    ([2.0], ['low', 'high'])
    """

    format: Literal["moselect model"] = FORMAT
    schema: Literal[1] = MODEL_SCHEMA
    classes: Annotated[list[Label], Meta(min_length=2)]
    thresholds: Numbers
    feature_names: list[str] | None = None
    coef: Numbers
    columns: list[dict[str, Any]] | None = None
    about: dict[str, Any] = msgspec.field(default_factory=dict)
    card: ModelCard | None = None
    calibration: ScoreCalibration | None = None  # where there is no card that has it
    referral: Referral | None = None
    promise: dict[str, Any] | None = None  # a `moselect.decision.promise.Promise`

    def __post_init__(self) -> None:
        # The rest is checked by the types and by the model.
        labels, names = self.classes, self.feature_names
        if len({type(label) for label in labels}) > 1 or len(set(labels)) < len(labels):
            raise ValueError("classes must be different labels of one kind")
        if names is not None and not len(set(names)) == len(names) == len(self.coef):
            raise ValueError(f"feature_names must be {len(self.coef)} different names, one a coef")

    def model(self) -> LinearModel:
        """Return the linear model, without its columns."""
        return LinearModel(
            self.coef, self.thresholds, self.classes, self.feature_names, referral=self.referral
        )


def model_document(
    model: LinearModel,
    about: Mapping[str, Any] | None = None,
    card: ModelCard | None = None,
    columns: Sequence[Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return a model as values that JSON can hold, to the last bit.

    ``about`` is further information, such as costs and data; ``columns`` are plain values of what
    turns a table into the columns that the model weighs.
    """
    names = model.feature_names
    document = {
        "format": FORMAT,
        "schema": MODEL_SCHEMA,
        "classes": model.classes_.tolist(),
        "thresholds": model.thresholds_.tolist(),
        "feature_names": None if names is None else list(names),
        "coef": model.coef_.tolist(),
        **({} if columns is None else {"columns": list(columns)}),
        "about": dict(about or {}),
    }
    if card is not None:
        document["card"] = msgspec.to_builtins(card)
    elif model.calibration is not None:
        document["calibration"] = msgspec.to_builtins(model.calibration)
    if model.referral is not None:
        document["referral"] = msgspec.to_builtins(model.referral)
    if model.promise is not None:
        document["promise"] = msgspec.to_builtins(model.promise)
    return document
