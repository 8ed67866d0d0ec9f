"""The weighted confusion matrix: the one thing that every measure of predicted classes reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect._types import Floats
from moselect._validation import check_choice, check_weights
from moselect.labels import (
    class_labels,
    encode,
    encode_labels,
    is_ordered_categorical,
    union_classes,
)

Average = Literal["micro", "macro"]
Distances = Literal["ranks", "values"]
MAX_CLASSES = 3000  # a confusion matrix of 72 MB


class Confusion(NamedTuple):
    """Samples of each true class (row) and predicted class (column), and their distances.

    Attributes
    ----------
    matrix : ndarray of shape (r, r)
        Weight of the samples.
    distances : ndarray of shape (r, r)
        Distances between classes.
    averaged : ndarray of bool, shape (r,)
        The classes that an average over classes runs over.
    classes : ndarray of shape (r,)
        The classes, lowest first.

    Examples
    --------
    >>> from moselect.metrics import count_confusion
    >>> found = count_confusion([1, 1, 2], [1, 2, 2], None, None)
    >>> found.matrix
    array([[1., 1.],
           [0., 1.]])
    >>> found.mean(found.zero_one, "macro")
    0.25
    """

    matrix: Floats
    distances: Floats
    averaged: NDArray[np.bool_]
    classes: NDArray[Any]

    def mean(self, loss: Floats, average: Average = "micro") -> float:
        """Return the mean of a loss (r, r) over samples, or over the means of the classes."""
        if check_choice("average", average, ("micro", "macro")) == "macro":
            return float(self.class_means(loss).mean())
        return float((self.matrix * loss).sum() / self.matrix.sum())

    def class_means(self, loss: Floats) -> Floats:
        """Return the mean of a loss (r, r) over the samples of each averaged class."""
        rows = self.matrix[self.averaged]
        return np.asarray((rows * loss[self.averaged]).sum(axis=1) / rows.sum(axis=1))

    @property
    def zero_one(self) -> Floats:
        """The loss that is 1 wherever classes differ."""
        return 1.0 - np.eye(len(self.matrix))


def count_confusion(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
    distances: Distances = "ranks",
    *,
    by_class: bool = False,
) -> Confusion:
    """Count the samples of each true and predicted class.

    Parameters
    ----------
    y_true, y_pred, sample_weight, labels, distances
        As in `mean_absolute_error`.
    by_class : bool, default=False
        Whether an average over classes is wanted, which needs samples of every class that
        ``labels`` names; without ``labels`` it runs over the classes that have samples.

    Returns
    -------
    Confusion
        With the fields ``matrix`` (true classes in rows), ``distances``, ``averaged`` and
        ``classes``.

    Raises
    ------
    ValueError
        On wrong input as in `accuracy_score`, or if there are more than 3,000 classes.

    Examples
    --------
    >>> count_confusion([1, 2, 3, 3], [1, 2, 3, 1]).matrix
    array([[1., 0., 0.],
           [0., 1., 0.],
           [1., 0., 1.]])
    """
    true_shape, pred_shape = np.shape(y_true), np.shape(y_pred)
    if true_shape != pred_shape:
        raise ValueError(f"y_true has shape {true_shape} but y_pred has shape {pred_shape}")
    classes, true = encode(y_true, labels, keep_unused=True)
    if labels is None and not is_ordered_categorical(y_true):
        classes = union_classes(classes, class_labels(y_pred))
        true = encode_labels(y_true, classes)
    class_labels(y_pred, classes.tolist())  # refuses missing predictions
    predicted = encode_labels(y_pred, classes)
    weights = check_weights(sample_weight, len(true))
    r = len(classes)
    if r > MAX_CLASSES:
        raise ValueError(f"there are {r} different labels: these measures are for classes")
    cells = np.bincount(true * r + predicted, weights, minlength=r * r)
    matrix = cells.reshape(r, r).astype(np.float64)
    averaged = matrix.sum(axis=1) > 0
    if by_class and labels is not None and not averaged.all():
        empty = ", ".join(str(c) for c in classes[~averaged])
        raise ValueError(
            f"an average over classes needs samples of every class: class {empty} has none"
        )
    positions = _positions(classes, distances)
    return Confusion(matrix, np.abs(positions[:, np.newaxis] - positions), averaged, classes)


def _positions(classes: NDArray[Any], distances: str) -> Floats:
    if check_choice("distances", distances, ("ranks", "values")) == "ranks":
        return np.arange(len(classes), dtype=np.float64)
    if classes.dtype.kind not in "fiub":
        raise ValueError(f"distances='values' needs numbers as labels, not {classes.tolist()[:6]}")
    return classes.astype(np.float64)
