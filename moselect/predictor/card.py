"""The model card: target, features, training data, performance and limitations of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
import numpy as np
import pandas as pd
from msgspec import Meta, Struct, field
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:  # slow to import
    from moselect.predictor.model import Model

Numbers = Annotated[list[float], Meta(min_length=1)]
Counts = list[Annotated[int, Meta(ge=0)]]


class FeatureCard(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Statistics of a feature in the training rows: range, moments, outer deciles."""

    name: str
    unit: str | None = None
    minimum: float
    maximum: float
    mean: float
    standard_deviation: Annotated[float, Meta(ge=0.0)]
    low: float  # 10 % of the rows lie below
    high: float  # 10 % of the rows lie above


class Figure(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A performance figure with its data split and confidence interval."""

    name: str
    value: float
    rows: Literal["train", "cv", "holdout"]
    interval: tuple[float, float] | None = None
    level: Annotated[float, Meta(gt=0.0, lt=1.0)] = 0.95


class ScoreCalibration(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Proportional odds of the score: P(y <= k) = 1 / (1 + exp(slope * score - intercepts[k]))."""

    slope: float
    intercepts: Numbers

    def probabilities(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Compute the class probabilities (n, r) at scores (n,)."""
        from moselect.predictor.class_probabilities import (
            class_probabilities,
        )  # needs scipy

        return class_probabilities(self.slope * scores, np.array(self.intercepts))


class ModelCard(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Model card as plain, JSON-compatible data.

    ``msgspec.json.schema(ModelCard)`` is its JSON schema, ``msgspec.to_builtins(card)``
    the card as a dictionary.

    Attributes
    ----------
    predicts : str
        The target.
    purpose : str or None
        Purpose of the selection, in a sentence.
    cost_matrix : list of list of float, or None
        Costs used in the selection, rows true classes, columns predicted ones.
    preferences : dict or None
        Objective weights used in the selection.
    data : str or None
        Name of the training data.
    n_rows : int
        Training rows.
    class_counts : list of int
        Training rows of each class, lowest first.
    dates : tuple of (str, str), or None
        First and last date of the training rows.
    features : list of FeatureCard
        The features in the order of the weights.
    preparation : list of str
        Preprocessing steps, a sentence each.
    figures : list of Figure
        Performance figures, each with its data split.
    confusion : list of list of numbers, or None
        Out-of-fold confusion matrix, rows true classes, columns predicted ones; sums of
        sample weights if there are any.
    calibration : ScoreCalibration or None
        From the score to class probabilities.
    intended_use : str or None
        Who should use the model, and for what.
    limits : list of str
        Where it should not be used.
    versions : dict
        Versions of the packages used.
    seed : int or None
        Seed of the search.

    Examples
    --------
    >>> card = ModelCard(predicts="grade", n_rows=2, class_counts=[1, 1], features=[], figures=[])
    >>> card.predicts
    'grade'
    """

    schema: Literal[1] = 1
    predicts: str
    purpose: str | None = None
    cost_matrix: list[Numbers] | None = None
    preferences: dict[str, float] | None = None
    data: str | None = None
    n_rows: Annotated[int, Meta(ge=1)]
    class_counts: Counts
    dates: tuple[str, str] | None = None
    features: list[FeatureCard]
    preparation: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    confusion: list[list[int | float]] | None = None
    calibration: ScoreCalibration | None = None
    intended_use: str | None = None
    limits: list[str] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)
    seed: int | None = None


def model_card(
    model: Model,
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    *,
    predicts: str,
    units: dict[str, str] | None = None,
    **known: Any,
) -> ModelCard:
    """Build the card of a model from its training rows and further fields.

    No individual row is stored: a feature is described by its range, mean, standard deviation
    and outer deciles.

    Parameters
    ----------
    model : Model
        The model.
    X, y : array-like of shape (n, p) and (n,)
        Its training rows. If it has ``columns``, these prepare X, and the card's features
        are the prepared ones.
    predicts : str
        Name of the target.
    units : dict, optional
        Units of features by name.
    **known
        Other fields of `ModelCard`, as plain values.

    Returns
    -------
    ModelCard

    Raises
    ------
    ValueError
        If a value has the wrong type, or a label of ``y`` is no class of the model.

    Examples
    --------
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([2.0], [3.0], ["low", "high"], ["speed"])
    >>> card = model_card(model, [[1.0], [2.0]], ["low", "high"], predicts="severity", seed=1)
    >>> card.class_counts, card.features[0].maximum
    ([1, 1], 2.0)
    """
    values = model.columns_of(X)
    labels = np.asarray(y)
    classes = model.classes_
    counts = [int((labels == label).sum()) for label in classes]
    if sum(counts) != len(values):
        raise ValueError(
            "y has labels that are no class of the model, or not one a row of X"
        )
    content = {
        **known,
        "predicts": predicts,
        "calibration": model.calibration,
        "n_rows": len(values),
        "class_counts": counts,
        "features": [
            _feature(name, column, (units or {}).get(name))
            for name, column in zip(model.names, values.T, strict=True)
        ],
    }
    plain = msgspec.to_builtins(content, enc_hook=lambda value: value.tolist())
    return msgspec.convert(plain, ModelCard)


def _feature(name: str, values: NDArray[np.float64], unit: str | None) -> FeatureCard:
    low, high = np.quantile(values, [0.1, 0.9])
    return FeatureCard(
        name=name,
        unit=unit,
        minimum=float(values.min()),
        maximum=float(values.max()),
        mean=float(values.mean()),
        standard_deviation=float(values.std()),
        low=float(low),
        high=float(high),
    )
