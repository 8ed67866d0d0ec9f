"""Errors of predicted classes by their distance to the true ones, and the expected cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import LabelOrder
from moselect.labels.labels import order_is_guessed
from moselect.metrics.confusion import Average, count_confusion
from moselect.metrics.objective import distances
from moselect.validation import (
    as_numbers,
    check_cost_matrix,
    check_priors,
    in_class_order,
    require_samples,
)


def mean_zero_one_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    average: Average = "micro",
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> float:
    """Share of misclassified samples (Baccianella et al. 2009, eq. 3 and 4).

    Parameters
    ----------
    y_true, y_pred, average, sample_weight, labels
        As in `mean_absolute_error`, whose errors these are, too.

    Returns
    -------
    float
        Between 0 and 1, lower is better.

    Examples
    --------
    >>> mean_zero_one_error([1, 2, 3, 3], [1, 2, 3, 1])
    0.25
    >>> mean_zero_one_error([1, 2, 3, 3], [1, 2, 3, 1], average="macro")
    0.1666...
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels)
    return confusion.mean(confusion.distances > 0.0, average)


def mean_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    average: Average = "micro",
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> float:
    """Mean distance between true and predicted class, ``1 / n sum_i |y_pred_i - y_i|``.

    Classes count by their rank 1 .. r, whatever numbers their labels are.

    Parameters
    ----------
    y_true, y_pred, sample_weight, labels
        As in `accuracy_score`.
    average : {"micro", "macro"}, default="micro"
        Whether every sample counts the same, or every true class: the mean of the means
        of the classes, so that a rare class counts as much as a common one. Both are
        equal on balanced data.

    Returns
    -------
    float
        In classes, from 0 to r - 1, lower is better.

    Raises
    ------
    ValueError
        On wrong input as in `accuracy_score`; with ``average="macro"`` also if a class of
        ``labels`` has no samples in ``y_true`` (without ``labels``, the average runs over
        the classes that have samples).

    References
    ----------
    Baccianella, Esuli, Sebastiani (2009), Evaluation measures for ordinal regression,
    ISDA, eq. (1) and (4).

    Examples
    --------
    >>> mean_absolute_error([1, 2, 3, 3], [1, 2, 3, 1])
    0.5
    >>> mean_absolute_error([1, 2, 3, 3], [1, 2, 3, 1], average="macro")
    0.3333...
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels)
    return confusion.mean(confusion.distances, average)


def mean_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    average: Average = "micro",
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> float:
    """Mean squared distance between true and predicted class (Baccianella et al. 2009, eq. 2).

    Parameters
    ----------
    y_true, y_pred, average, sample_weight, labels
        As in `mean_absolute_error`, whose errors these are, too.

    Returns
    -------
    float
        In squared classes, from 0 to (r - 1)**2, lower is better.

    Examples
    --------
    >>> mean_squared_error([1, 2, 3, 3], [1, 2, 3, 1])
    1.0
    >>> mean_squared_error([1, 2, 3, 3], [1, 2, 3, 1], average="macro")
    0.6666...
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels)
    return confusion.mean(confusion.distances**2, average)


def expected_cost(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    cost_matrix: ArrayLike | Mapping[object, float],
    *,
    sample_weight: ArrayLike | None = None,
    priors: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> float:
    """Mean cost per sample, ``1 / n sum_i C[y_true_i, y_pred_i]``.

    Parameters
    ----------
    y_true, y_pred, sample_weight, labels
        As in `accuracy_score`.
    cost_matrix : array-like of shape (r, r) or (r,), or mapping
        Rows are true classes, columns predicted ones; or a cost per true class, lowest class
        first or by class label, times the distance in ranks; see `moselect.cost_matrix`.
        Of `moselect.Costs`, give ``costs.matrix(r)``.
    priors : array-like of shape (r,), optional
        Class prevalence in production, of sum 1: weights of the mean costs of the classes,
        instead of the class shares in ``y_true``.

    Returns
    -------
    float
        From 0 to the largest cost, lower is better.

    Raises
    ------
    ValueError
        If costs or priors do not fit the classes, a class with a positive prior has no
        samples, or on wrong input as in `accuracy_score`.

    References
    ----------
    Waegeman, De Baets, Boullart (2008), ROC analysis in ordinal regression learning,
    Pattern Recognition Letters 29, 1-9, eq. (15).

    Examples
    --------
    >>> costs = [[0, 1, 2], [1, 0, 1], [10, 5, 0]]
    >>> expected_cost([1, 2, 3, 3], [1, 2, 3, 1], costs)
    2.5
    >>> expected_cost([1, 2, 3, 3], [1, 2, 3, 1], costs, priors=[0.5, 0.4, 0.1])
    0.5
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels)
    r = len(confusion.matrix)
    guessed = order_is_guessed(y_true, labels)
    costs = in_class_order("cost_matrix", cost_matrix, confusion.classes, guessed=guessed)
    if np.ndim(costs) == 1:
        costs = as_numbers("cost_matrix", costs)
        costs = costs[:, None] * distances(costs)
    costs = check_cost_matrix(costs, r)
    if priors is None:
        return confusion.mean(costs)
    shares = in_class_order("priors", priors, confusion.classes, guessed=guessed)
    shares = check_priors(shares, r)
    # A class with prior 0 needs no samples: it does not count.
    needed = shares > 0.0
    class_weights = confusion.matrix.sum(axis=1)
    require_samples(
        class_weights[needed], confusion.classes[needed], "the cost under these priors"
    )
    # Means of the classes, weighted by the priors rather than by their shares among the
    # samples.
    class_means = (confusion.matrix * costs).sum(axis=1)[needed] / class_weights[needed]
    return float(shares[needed] @ class_means)


ERRORS: dict[str, Callable[..., float]] = {
    "mean_zero_one_error": mean_zero_one_error,
    "mean_absolute_error": mean_absolute_error,
    "mean_squared_error": mean_squared_error,
    "macro_zero_one_error": partial(mean_zero_one_error, average="macro"),
    "macro_mean_absolute_error": partial(mean_absolute_error, average="macro"),
    "macro_mean_squared_error": partial(mean_squared_error, average="macro"),
}
