"""The weighted confusion matrix, the input of all measures of predicted classes."""

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect._types import Booleans, Floats, Integers, LabelOrder, Labels
from moselect.listing import listing
from moselect.metrics.class_costs import distances
from moselect.samples.labels import (
    check_not_continuous,
    class_labels,
    complete_labels,
    distinct_labels,
    encode,
    encode_labels,
    is_ordered_categorical,
)
from moselect.samples.validation import check_choice, check_weights

Average = Literal["micro", "macro"]
MAX_CLASSES = 3000  # a confusion matrix of 72 MB


class Confusion(NamedTuple):
    """Weight of the samples of each true class (row) and predicted class (column), (r, r).

    Averages over classes run over ``labels``, or else over classes with samples.
    """

    matrix: Floats
    averaged: NDArray[np.bool_]  # (r,)
    classes: Labels  # (r,) lowest first
    cells: Integers  # (n,) true class code * r + predicted one, of each sample

    def mean(self, loss: Floats | Booleans, average: Average = "micro") -> float:
        """Return the mean of a loss (r, r) over samples, or over the means of the classes."""
        if check_choice("average", average, ("micro", "macro")) == "macro":
            return float(self.class_means(loss).mean())
        return float((self.matrix * loss).sum() / self.matrix.sum())

    def class_means(self, loss: Floats | Booleans) -> Floats:
        """Return the mean of a loss (r, r) over the samples of each averaged class."""
        rows = self.matrix[self.averaged]
        empty = self.classes[self.averaged][rows.sum(axis=1) == 0]
        if len(empty):
            raise ValueError(
                "an average over classes needs samples of every class: class "
                f"{listing(empty)} has none"
            )
        # Rows are true classes: the mean loss of each, whatever its size.
        return (rows * loss[self.averaged]).sum(axis=1) / rows.sum(axis=1)

    @property
    def distances(self) -> Floats:
        """Distances (r, r) between the ranks of the classes."""
        return distances(self.matrix)


def count_confusion(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    sample_weight: ArrayLike | None,
    labels: LabelOrder,
) -> Confusion:
    """Count the samples of each true and predicted class; parameters as in `accuracy_score`."""
    true_shape = np.shape(y_true)
    pred_shape = np.shape(y_pred)
    if true_shape != pred_shape:
        raise ValueError(
            f"y_true has shape {true_shape} but y_pred has shape {pred_shape}"
        )
    ordered: Any = labels
    # Predictions may hold classes that no sample has, and these lie on the scale, too.
    if labels is None and not is_ordered_categorical(y_true) and np.size(y_true):
        distinct = distinct_labels(y_true, y_pred)
        check_not_continuous(distinct)
        ordered = class_labels(distinct)
    classes, true = encode(y_true, ordered, keep_unused=True)
    complete_labels(y_pred)
    predicted = encode_labels(y_pred, classes)
    weights = check_weights(sample_weight, len(true))
    r = len(classes)
    if r > MAX_CLASSES:
        raise ValueError(
            f"there are {r} different labels: these measures are for classes"
        )
    # One number for each cell, so that one count fills the matrix.
    cells = true * r + predicted
    matrix = np.bincount(cells, weights, minlength=r * r).reshape(r, r).astype(np.float64)
    # With labels every class is averaged, and one without samples is an error; without,
    # only those that have samples.
    averaged = np.ones(r, dtype=bool) if labels is not None else matrix.sum(axis=1) > 0
    return Confusion(matrix, averaged, classes, cells)
