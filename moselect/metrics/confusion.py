"""The weighted confusion matrix: the one thing that every measure of predicted classes reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect.labels import class_labels, encode, encode_labels, is_ordered_categorical
from moselect.metrics.validation import Floats, check_choice, check_weights

Distances = Literal["ranks", "values"]
MAX_CLASSES = 3000  # a confusion matrix of 72 MB


class Confusion(NamedTuple):
    """Objects of each true class (row) and predicted class (column), and their distances."""

    matrix: Floats  # (r, r) weights
    distances: Floats  # (r, r) between classes
    averaged: NDArray[np.bool_]  # (r,) classes that an average over classes runs over
    classes: NDArray[Any]  # (r,) labels

    def mean(self, loss: Floats) -> float:
        """Mean of a loss (r, r) over objects."""
        return float((self.matrix * loss).sum() / self.matrix.sum())

    def class_means(self, loss: Floats) -> Floats:
        """Mean of a loss (r, r) over the objects of each averaged class."""
        rows = self.matrix[self.averaged]
        return np.asarray((rows * loss[self.averaged]).sum(axis=1) / rows.sum(axis=1))

    @property
    def zero_one(self) -> Floats:
        """The loss that is 1 wherever classes differ."""
        return 1.0 - np.eye(len(self.matrix))


def count_confusion(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    sample_weight: ArrayLike | None,
    labels: Sequence[Any] | None,
    distances: str = "ranks",
    *,
    by_class: bool = False,
) -> Confusion:
    """Check labels and predictions and count them.

    The classes are ``labels``; or else all categories of an ordered Categorical ``y_true``; or
    else all numbers in either. An average over classes (``by_class``) needs objects of every
    class that ``labels`` names; without ``labels`` it runs over the classes that have objects.
    """
    true_shape, pred_shape = np.shape(y_true), np.shape(y_pred)
    if true_shape != pred_shape:
        raise ValueError(f"y_true has shape {true_shape} but y_pred has shape {pred_shape}")
    classes, true = encode(y_true, labels, keep_unused=True)
    if labels is None and not is_ordered_categorical(y_true):
        classes = np.union1d(classes, class_labels(y_pred))
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
            f"an average over classes needs objects of every class: class {empty} has none"
        )
    places = _places(classes, distances)
    return Confusion(matrix, np.abs(places[:, np.newaxis] - places), averaged, classes)


def _places(classes: NDArray[Any], distances: str) -> Floats:
    if check_choice("distances", distances, ("ranks", "values")) == "ranks":
        return np.arange(len(classes), dtype=np.float64)
    if classes.dtype.kind not in "fiub":
        raise ValueError(f"distances='values' needs numbers as labels, not {classes.tolist()[:6]}")
    return classes.astype(np.float64)
