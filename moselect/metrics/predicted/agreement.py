"""Agreement of predicted with true classes that forgives a little, or asks for more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from moselect._validation import check_choice
from moselect.metrics.predicted.confusion import Distances, count_confusion


def off_by_one_accuracy_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
) -> float:
    """Share of samples predicted as their class or a neighbouring one.

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
        On wrong input as in `accuracy_score`.

    Examples
    --------
    >>> off_by_one_accuracy_score([1, 2, 3, 3], [1, 1, 3, 1])
    0.75
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels)
    return confusion.mean((confusion.distances <= 1.0).astype(np.float64))


def minimum_sensitivity_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
) -> float:
    """Share of samples whose class is predicted, in the class where it is least.

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
        On wrong input as in `accuracy_score`, and if a class of ``labels`` has no samples in
        ``y_true``; without ``labels`` the minimum runs over the classes that have samples.

    References
    ----------
    Fernandez Caballero, Martinez, Hervas, Gutierrez (2010), Sensitivity versus accuracy in
    multiclass problems using memetic Pareto evolutionary neural networks, IEEE Transactions on
    Neural Networks 21:750-770.

    Examples
    --------
    >>> minimum_sensitivity_score([1, 2, 3, 3], [1, 2, 3, 1])
    0.5
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels, by_class=True)
    return float(confusion.class_means(np.eye(len(confusion.matrix))).min())


def weighted_kappa_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    weights: Literal["linear", "quadratic"] = "linear",
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
    distances: Distances = "ranks",
) -> float:
    """Cohen's weighted kappa: agreement beyond what independence would give.

    One minus the mean disagreement, divided by the mean disagreement of independent labels with
    the same frequencies. Disagreement is the distance of the classes, or its square.

    Parameters
    ----------
    weights : {"linear", "quadratic"}, default="linear"
        Whether disagreement is the distance or its square.
    y_true, y_pred, sample_weight, labels, distances
        As in `mean_absolute_error`.

    Returns
    -------
    float
        At most 1, higher is better; 0 for predictions that are independent of the classes.

    Raises
    ------
    ValueError
        On wrong input as in `accuracy_score`, and if all labels and predictions are one class.

    References
    ----------
    Cohen (1968), Weighted kappa: nominal scale agreement with provision for scaled disagreement
    or partial credit, Psychological Bulletin 70:213-220.

    Examples
    --------
    >>> weighted_kappa_score([1, 2, 3, 3], [1, 2, 3, 1])
    0.5
    """
    power = {"linear": 1, "quadratic": 2}[check_choice("weights", weights, ("linear", "quadratic"))]
    confusion = count_confusion(y_true, y_pred, sample_weight, labels, distances)
    loss = confusion.distances**power
    matrix = confusion.matrix / confusion.matrix.sum()
    expected = matrix.sum(axis=1) @ loss @ matrix.sum(axis=0)
    if expected == 0.0:
        raise ValueError("kappa is undefined: all labels and predictions are one class")
    return float(1.0 - (matrix * loss).sum() / expected)
