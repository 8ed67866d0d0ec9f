"""One linear model as plain values: what stands in a ``model.json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from moselect.models.card import LARGEST, ModelCard, Name, Numbers, names_of
from moselect.models.linear import OrdinalLinearClassifier

FORMAT: Final = "moselect model"
MODEL_SCHEMA: Final = 1
MOST_CLASSES = 1_000

Label = bool | int | float | Name


class ModelDocument(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a ``model.json`` holds: the model, its card, and further information.

    Numbers are finite and at most 1e150 in size, so that scores do not overflow.

    Examples
    --------
    >>> from moselect.models import OrdinalLinearClassifier
    >>> from moselect.models.document import model_document
    >>> model = OrdinalLinearClassifier([2.0], [3.0], ["low", "high"], ["speed"])
    >>> document = msgspec.convert(model_document(model), ModelDocument)
    >>> document.coef, document.model().predict([[2.0]]).tolist()
    ([2.0], ['high'])
    """

    format: Literal["moselect model"] = FORMAT
    schema: Literal[1] = MODEL_SCHEMA
    classes: Annotated[list[Label], Meta(min_length=2, max_length=MOST_CLASSES)]
    thresholds: Numbers
    feature_names: Annotated[list[Name], Meta(max_length=1_000_000)] | None = None
    coef: Numbers
    columns: Annotated[list[dict[Name, Any]], Meta(max_length=10)] | None = None
    about: dict[Name, Any] = msgspec.field(default_factory=dict)
    card: ModelCard | None = None

    def __post_init__(self) -> None:
        # The rest is checked by the types and by the model.
        labels, names = self.classes, self.feature_names
        if len({type(label) for label in labels}) > 1 or len(set(labels)) < len(labels):
            raise ValueError("classes must be different labels of one kind")
        if names is not None and not len(set(names)) == len(names) == len(self.coef):
            raise ValueError(f"feature_names must be {len(self.coef)} different names, one a coef")
        if self.card is not None:
            self.card.check_fits(names_of(self.model()), len(labels))

    def model(self) -> OrdinalLinearClassifier:
        """Return the linear model, which predicts from the columns that it weighs."""
        return OrdinalLinearClassifier(self.coef, self.thresholds, self.classes, self.feature_names)


def model_document(
    model: OrdinalLinearClassifier,
    about: Mapping[str, Any] | None = None,
    card: ModelCard | None = None,
    columns: Sequence[Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return a model as values that JSON can hold, to the last bit.

    ``about`` is further information, such as costs and data; ``columns`` are plain values of what
    turns a table into the columns that the model weighs. Raises ValueError if a weight or threshold
    is larger than 1e150, or the card is about another model.
    """
    names = model.feature_names
    for what, values in (("weight", model.coef_), ("threshold", model.thresholds_)):
        if (abs(values) > LARGEST).any():
            raise ValueError(f"a {what} is larger than {LARGEST:g}: rescale the features")
    if card is not None:
        card.check_fits(names_of(model), len(model.classes_))
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
    return document if card is None else document | {"card": msgspec.to_builtins(card)}
