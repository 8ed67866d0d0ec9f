"""The best that one can do without any feature: always predict the same class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from moselect._validation import check_choice
from moselect.labels import class_labels
from moselect.metrics.predicted.error import (
    maximum_mean_absolute_error,
    mean_absolute_error,
    mean_squared_error,
    mean_zero_one_error,
    root_mean_squared_error,
)

ERRORS: dict[str, Callable[..., float]] = {
    "mean_zero_one_error": mean_zero_one_error,
    "mean_absolute_error": mean_absolute_error,
    "mean_squared_error": mean_squared_error,
    "root_mean_squared_error": root_mean_squared_error,
    "macro_zero_one_error": partial(mean_zero_one_error, average="macro"),
    "macro_mean_absolute_error": partial(mean_absolute_error, average="macro"),
    "macro_mean_squared_error": partial(mean_squared_error, average="macro"),
    "macro_root_mean_squared_error": partial(root_mean_squared_error, average="macro"),
    "maximum_mean_absolute_error": maximum_mean_absolute_error,
}


class TrivialClassifier(NamedTuple):
    """A class, and the error of predicting it for every sample.

    Examples
    --------
    >>> trivial_classifier([1, 1, 2, 3])
    TrivialClassifier(label=1, error=0.75)
    """

    label: Any
    error: float


def trivial_classifier(
    y_true: ArrayLike,
    *,
    error: str | Callable[..., float] = "mean_absolute_error",
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
) -> TrivialClassifier:
    """Find the class whose prediction for every sample has the least error.

    The majority class has the least zero-one error, the weighted median the least mean absolute
    error, and a middle class the least macro-averaged mean absolute error: r / 4 for even r and
    (r**2 - 1) / (4 r) for odd r.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True classes: numbers, an ordered Categorical, or strings with ``labels``.
    error : str or callable, default="mean_absolute_error"
        Name of one of the errors of `moselect.metrics`, after ``"macro_"`` for an average over
        classes (``"macro_zero_one_error"``, ``"macro_mean_absolute_error"``, ...); or a function
        ``error(y_true, y_pred, *, sample_weight, labels)`` that is better when lower.
    sample_weight : array-like of shape (n,), optional
        Weights of the samples.
    labels : sequence, optional
        All classes, lowest first; by default those of ``y_true`` in their order.

    Returns
    -------
    TrivialClassifier
        Fields ``label``, the lowest of equally good classes, and ``error``.

    Raises
    ------
    ValueError
        If the name is unknown, or where the error itself is undefined.

    References
    ----------
    Baccianella, Esuli, Sebastiani (2009), Evaluation measures for ordinal regression, ISDA,
    sections 2 and 4.

    Examples
    --------
    >>> trivial_classifier([1, 2, 2, 3, 4, 5], error="macro_mean_absolute_error")
    TrivialClassifier(label=3, error=1.2)
    """
    if isinstance(error, str):
        error = ERRORS[check_choice("error", error, tuple(ERRORS))]
    classes = class_labels(y_true, labels, keep_unused=True).tolist()
    n = np.shape(y_true)[0]
    best = TrivialClassifier(None, np.inf)
    for label in classes:
        predicted = np.full(n, label)
        value = error(y_true, predicted, sample_weight=sample_weight, labels=labels)
        if value < best.error * (1 - 1e-12):  # equal but for rounding: the lowest class stays
            best = TrivialClassifier(label, value)
    return best
