"""The weighted confusion matrix of predicted classes, and measures of their agreement."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Booleans, Floats, Integers, LabelOrder, Labels
from moselect.labels.labels import (
    check_not_continuous,
    class_labels,
    complete_labels,
    distinct_labels,
    encode,
    encode_labels,
    ordered_categories,
)
from moselect.listing import listing
from moselect.metrics.objective import distances
from moselect.validation import check_choice, check_weights

Average = Literal["micro", "macro"]


class Confusion(NamedTuple):
    """Weight of the samples of each true class (row) and predicted class (column), (r, r).

    Averages over classes run over ``labels``, or else over classes with samples.
    """

    matrix: Floats
    averaged: Booleans  # (r,)
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


MAX_CLASSES = 3_000  # a confusion matrix of 72 MB


def check_number_of_classes(n_classes: int) -> None:
    """Refuse labels that are no classes: counts of pairs of them would fill the memory."""
    if n_classes > MAX_CLASSES:
        raise ValueError(
            f"there are {n_classes} different labels, but this measure is for classes"
        )


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
    if labels is None and ordered_categories(y_true) is None and np.size(y_true):
        distinct = distinct_labels(y_true, y_pred)
        check_not_continuous(distinct)
        ordered = class_labels(distinct)
    classes, true = encode(y_true, ordered, keep_unused=True)
    complete_labels(y_pred)
    predicted = encode_labels(y_pred, classes)
    weights = check_weights(sample_weight, len(true))
    r = len(classes)
    check_number_of_classes(r)
    # One number for each cell, so that one count fills the matrix.
    cells = true * r + predicted
    matrix = np.bincount(cells, weights, minlength=r * r).reshape(r, r).astype(float)
    # With labels every class is averaged, and one without samples is an error; without,
    # only those that have samples.
    averaged = np.full(r, labels is not None) | (matrix.sum(axis=1) > 0)
    return Confusion(matrix, averaged, classes, cells)


def accuracy_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> float:
    """Share of correctly predicted samples.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted classes: numbers, ordered Categoricals, or strings with
        ``labels``.
    sample_weight : array-like of shape (n,), optional
        Weights of the samples.
    labels : sequence, optional
        All classes, lowest first. Without it they are the categories of an ordered
        Categorical, or the numbers in ``y_true`` and ``y_pred``: required if a
        class may occur in neither.

    Returns
    -------
    float
        Between 0 and 1, higher is better.

    Raises
    ------
    ValueError
        If lengths differ, labels are missing or not among ``labels``, or weights are
        negative.

    Examples
    --------
    >>> accuracy_score([1, 2, 3, 3], [1, 2, 3, 1])
    0.75
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels)
    return confusion.mean(np.eye(len(confusion.matrix)))


def off_by_one_accuracy_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> float:
    """Share of samples predicted as their true class or a neighbouring one.

    Parameters
    ----------
    y_true, y_pred, sample_weight, labels
        As in `accuracy_score`, whose errors these are, too.

    Returns
    -------
    float
        Between 0 and 1, higher is better.

    Examples
    --------
    >>> off_by_one_accuracy_score([1, 2, 3, 3], [1, 1, 3, 1])
    0.75
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels)
    return confusion.mean(confusion.distances <= 1.0)


def minimum_sensitivity_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> float:
    """Minimum sensitivity: the recall of the class where it is lowest.

    Parameters
    ----------
    y_true, y_pred, sample_weight, labels
        As in `accuracy_score`.

    Returns
    -------
    float
        Between 0 and 1, higher is better.

    Raises
    ------
    ValueError
        On wrong input as in `accuracy_score`, and if a class of ``labels`` has no samples
        in ``y_true``; without ``labels`` the minimum runs over the classes that have
        samples.

    References
    ----------
    Fernandez Caballero, Martinez, Hervas, Gutierrez (2010), Sensitivity versus accuracy
    in multiclass problems using memetic Pareto evolutionary neural networks, IEEE
    Transactions on Neural Networks 21:750-770.

    Examples
    --------
    >>> minimum_sensitivity_score([1, 2, 3, 3], [1, 2, 3, 1])
    0.5
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels)
    return float(confusion.class_means(np.eye(len(confusion.matrix))).min())


def weighted_kappa_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    weights: Literal["linear", "quadratic"] = "linear",
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> float:
    """Cohen's weighted kappa: agreement beyond that expected under independence.

    One minus the mean disagreement, divided by the mean disagreement of independent
    labels with the same frequencies. Disagreement is the distance of the classes, or its
    square.

    Parameters
    ----------
    weights : {"linear", "quadratic"}, default="linear"
        Whether disagreement is the distance or its square.
    y_true, y_pred, sample_weight, labels
        As in `mean_absolute_error`.

    Returns
    -------
    float
        At most 1, higher is better; 0 for predictions that are independent of the
        classes.

    Raises
    ------
    ValueError
        On wrong input as in `accuracy_score`, and if all labels and predictions are one
        class.

    References
    ----------
    Cohen (1968), Weighted kappa: nominal scale agreement with provision for scaled
    disagreement or partial credit, Psychological Bulletin 70:213-220.

    Examples
    --------
    >>> weighted_kappa_score([1, 2, 3, 3], [1, 2, 3, 1])
    0.5
    """
    power = {"linear": 1, "quadratic": 2}[
        check_choice("weights", weights, ("linear", "quadratic"))
    ]
    confusion = count_confusion(y_true, y_pred, sample_weight, labels)
    loss = confusion.distances**power
    # Shares of all samples: rows and columns sum to the frequencies of the classes.
    matrix = confusion.matrix / confusion.matrix.sum()
    # Mean loss of independent labels with the same frequencies, the chance of Cohen's
    # kappa.
    expected = matrix.sum(axis=1) @ loss @ matrix.sum(axis=0)
    if expected == 0.0:
        raise ValueError("kappa is undefined: all labels and predictions are one class")
    return float(1.0 - (matrix * loss).sum() / expected)
