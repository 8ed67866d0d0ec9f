"""How far predicted classes are from the true ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from moselect.metrics.labels import Codes, class_labels, encode_labels


def _encode_both(
    y_true: ArrayLike, y_pred: ArrayLike, labels: Sequence[Any] | None
) -> tuple[Codes, Codes]:
    true, predicted = np.asarray(y_true), np.asarray(y_pred)
    if true.shape != predicted.shape:
        raise ValueError(f"y_true has shape {true.shape} but y_pred has shape {predicted.shape}")
    classes = class_labels(y_true, labels)
    return encode_labels(y_true, classes), encode_labels(y_pred, classes)


def accuracy_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, labels: Sequence[Any] | None = None
) -> float:
    """Share of objects whose class is predicted, between 0 and 1, higher is better.

    Examples
    --------
    >>> accuracy_score([1, 2, 3, 3], [1, 2, 3, 1])
    0.75
    """
    true, predicted = _encode_both(y_true, y_pred, labels)
    return float((true == predicted).mean())


def mean_absolute_error(
    y_true: ArrayLike, y_pred: ArrayLike, *, labels: Sequence[Any] | None = None
) -> float:
    """Mean distance between true and predicted class, in class ranks 1 .. r; lower is better.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        Labels and predictions.
    labels : sequence, optional
        All classes, lowest first. Give them if ``y_true`` may miss a class, for distances
        are counted in classes, not in label values.

    Examples
    --------
    >>> mean_absolute_error([1, 2, 3, 3], [1, 2, 3, 1])
    0.5
    """
    true, predicted = _encode_both(y_true, y_pred, labels)
    return float(np.abs(true - predicted).mean())
