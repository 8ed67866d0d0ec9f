"""Predictions for a table as it comes: a row that cannot be scored has a reason, not a class."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from moselect._types import Floats
from moselect.models.card import FeatureCard, ModelCard, ScoreCalibration, names_of
from moselect.models.class_probabilities import class_probabilities
from moselect.models.linear import OrdinalLinearClassifier, score_rows

FEWEST = 30  # rows from which a mean is compared with that in training
SHIFT = 1.0  # standard deviations between the means that are remarked on
MOST_REMARKS = 5


@dataclass(frozen=True, eq=False)
class RowPredictions:
    """Predictions of a model for each row of a table.

    Attributes
    ----------
    values : ndarray of shape (n, p)
        Features; NaN where there is no finite number.
    scores : ndarray of shape (n,)
        Scores; NaN for a row that cannot be scored.
    classes : ndarray of shape (n,)
        Class labels; None for a row that cannot be scored.
    reasons : ndarray of shape (n,)
        Why a row cannot be scored, or an empty text.

    Examples
    --------
    >>> from moselect.models import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([2.0], [3.0], ["low", "high"], ["speed"])
    >>> found = predict_rows(model, pd.DataFrame({"speed": [2.0, None]}))
    >>> found.scored.tolist(), found.reasons.tolist()
    ([True, False], ['', "'speed' is missing"])
    """

    values: Floats
    scores: Floats
    classes: NDArray[Any]
    reasons: NDArray[Any]

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Rows (n,) that have a score."""
        return np.isfinite(self.scores)

    def probabilities(self, calibration: ScoreCalibration) -> Floats:
        """Return the class probabilities (n, r); NaN for a row that cannot be scored."""
        found = np.full((len(self.scores), len(calibration.cuts) + 1), np.nan)
        scored = self.scored
        found[scored] = class_probabilities(
            calibration.slope * self.scores[scored], np.array(calibration.cuts)
        )
        return found


def predict_rows(model: OrdinalLinearClassifier, table: pd.DataFrame) -> RowPredictions:
    """Predict each row of a table that has a finite number in every feature.

    Parameters
    ----------
    model : OrdinalLinearClassifier
        The model. Its features are found by name, or by position if it has no names.
    table : DataFrame of shape (n, m)
        The rows. Text that is a number counts as one.

    Returns
    -------
    RowPredictions
        For the rows that can be scored the same as ``model.predict``, to the last bit.

    Raises
    ------
    ValueError
        If a feature has no column, or two.

    Examples
    --------
    >>> from moselect.models import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([2.0], [3.0], ["low", "high"], ["speed"])
    >>> found = predict_rows(model, pd.DataFrame({"speed": ["2.0", "fast"]}))
    >>> found.classes.tolist(), found.reasons.tolist()
    (['high', None], ['', "'speed' is 'fast', not a number"])
    """
    columns = _feature_columns(model, table)
    p = len(columns)
    values = np.column_stack([_numbers(column) for column in columns])
    reasons = np.full(len(table), "", dtype=object)
    for name, column, numbers in zip(
        names_of(model)[::-1], columns[::-1], values.T[::-1], strict=True
    ):
        for i in np.flatnonzero(~np.isfinite(numbers)):
            reasons[i] = _reason(name, column.iloc[i])
    values[~np.isfinite(values)] = np.nan
    complete = reasons == ""
    scores = np.full(len(table), np.nan)
    if complete.any():
        with np.errstate(over="ignore"):
            scores[complete] = score_rows(
                values[complete].reshape(-1, p), model.coef_, len(model.classes_)
            )
    overflown = complete & ~np.isfinite(scores)
    reasons[overflown] = "the score is too large for a floating-point number"
    scores[overflown] = np.nan
    scored = np.isfinite(scores)
    below = np.searchsorted(model.thresholds_, scores[scored], side="left")
    classes = model.classes_[below]
    if not scored.all():
        found, classes = classes, np.full(len(table), None, dtype=object)
        classes[scored] = found.tolist()
    return RowPredictions(values, scores, classes, reasons)


def range_remarks(card: ModelCard, values: Floats) -> list[str]:
    """Return a sentence for each feature that has other values than in training.

    These are values outside the training range, and, from 30 rows on, a mean that is more than a
    standard deviation from that in training.

    Parameters
    ----------
    card : ModelCard
        The card of the model.
    values : ndarray of shape (n, p)
        Features of the rows; NaN where there is none.

    Returns
    -------
    list of str
        At most five, the features with most values outside first, and how many more there are.

    Examples
    --------
    >>> from moselect.models import OrdinalLinearClassifier, model_card
    >>> model = OrdinalLinearClassifier([2.0], [3.0], ["low", "high"], ["speed"])
    >>> card = model_card(model, [[1.0], [2.0]], ["low", "high"], predicts="severity")
    >>> range_remarks(card, np.array([[1.5], [9.0]]))
    ["'speed': 1 of 2 rows lie outside the training range 1 to 2 (here 1.5 to 9)"]
    """
    found = []
    for feature, column in zip(card.features, values.T, strict=True):
        present = column[np.isfinite(column)]
        outside = int(((present < feature.minimum) | (present > feature.maximum)).sum())
        remarks = _remarks(feature, present, outside)
        if remarks:
            found.append((-outside, f"'{feature.name}': {'; '.join(remarks)}"))
    found.sort(key=lambda pair: pair[0])
    texts = [text for _, text in found[:MOST_REMARKS]]
    if len(found) > MOST_REMARKS:
        texts.append(f"so have {len(found) - MOST_REMARKS} more features other values than before")
    return texts


def _remarks(feature: FeatureCard, present: Floats, outside: int) -> list[str]:
    remarks = []
    if outside:
        remarks.append(
            f"{outside} of {len(present)} rows lie outside the training range "
            f"{feature.minimum:.6g} to {feature.maximum:.6g} "
            f"(here {present.min():.6g} to {present.max():.6g})"
        )
    if len(present) >= FEWEST:
        mean = float(np.mean(present))
        if abs(mean - feature.mean) > SHIFT * feature.standard_deviation:
            remarks.append(
                f"its mean is {mean:.4g}, in training {feature.mean:.4g} (standard deviation "
                f"{feature.standard_deviation:.4g}): other units, or other cases?"
            )
    return remarks


def _feature_columns(model: OrdinalLinearClassifier, table: pd.DataFrame) -> list[pd.Series]:
    names = [str(name) for name in table.columns]
    if model.feature_names is None:
        if len(names) != model.n_features_in_:
            raise ValueError(
                f"the table has {len(names)} columns, but the model, which has no names, needs "
                f"{model.n_features_in_}"
            )
        return [table.iloc[:, j] for j in range(len(names))]
    for name in names_of(model):
        if names.count(name) != 1:
            raise ValueError(
                f"two columns are called {name!r}: rename or drop one"
                if name in names
                else f"column {name!r} is missing: the model needs {names_of(model)}"
            )
    return [table.iloc[:, names.index(name)] for name in names_of(model)]


def _numbers(column: pd.Series) -> Floats:
    kind = column.dtype
    if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind):
        return column.to_numpy(dtype=np.float64, na_value=np.nan)
    return np.array([_number(value) for value in column.astype(object)], dtype=np.float64)


def _number(value: Any) -> float:
    if isinstance(value, bytes) or (isinstance(value, str) and "_" in value):
        return np.nan  # numbers to Python, but not in tables
    try:
        return float(value)
    except (TypeError, ValueError):
        return np.nan


def _reason(name: str, value: Any) -> str:
    if pd.api.types.is_scalar(value) and pd.isna(value):
        return f"{name!r} is missing"
    number = _number(value)
    if isfinite(number) or number != number:
        return f"{name!r} is {str(value)[:50]!r}, not a number"
    return f"{name!r} is infinite"
