"""How far predicted classes are from the true ones, averaged over samples or over classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from moselect.metrics.predicted.confusion import Average, Distances, count_confusion


def accuracy_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
) -> float:
    """Share of samples whose class is predicted.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted classes: numbers, ordered Categoricals, or strings with ``labels``.
    sample_weight : array-like of shape (n,), optional
        Weights of the samples.
    labels : sequence, optional
        All classes, lowest first. Without it they are the categories of an ordered Categorical,
        or the numbers in ``y_true`` and ``y_pred``: give it if a class may be in neither.

    Returns
    -------
    float
        Between 0 and 1, higher is better.

    Raises
    ------
    ValueError
        If lengths differ, labels are missing or not among ``labels``, or weights are negative.

    Examples
    --------
    >>> accuracy_score([1, 2, 3, 3], [1, 2, 3, 1])
    0.75
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels)
    return confusion.mean(np.eye(len(confusion.matrix)))


def mean_zero_one_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    average: Average = "micro",
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
) -> float:
    """Share of samples whose class is not predicted.

    Parameters
    ----------
    y_true, y_pred, average, sample_weight, labels
        As in `mean_absolute_error`.

    Returns
    -------
    float
        Between 0 and 1, lower is better.

    Raises
    ------
    ValueError
        On wrong input as in `mean_absolute_error`.

    References
    ----------
    Baccianella, Esuli, Sebastiani (2009), Evaluation measures for ordinal regression, ISDA,
    eq. (3) and (4).

    Examples
    --------
    >>> mean_zero_one_error([1, 2, 3, 3], [1, 2, 3, 1])
    0.25
    >>> mean_zero_one_error([1, 2, 3, 3], [1, 2, 3, 1], average="macro")
    0.1666...
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels, by_class=average != "micro")
    return confusion.mean(confusion.zero_one, average)


def mean_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    average: Average = "micro",
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
    distances: Distances = "ranks",
) -> float:
    """Mean distance between true and predicted class.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted classes: numbers, ordered Categoricals, or strings with ``labels``.
    average : {"micro", "macro"}, default="micro"
        Whether every sample counts the same, or every true class: the mean of the means of the
        classes, so that a rare class counts as much as a common one. Both are equal on balanced
        data.
    sample_weight : array-like of shape (n,), optional
        Weights of the samples.
    labels : sequence, optional
        All classes, lowest first. Without it they are the categories of an ordered Categorical,
        or the numbers in ``y_true`` and ``y_pred``: give it if a class may be in neither.
    distances : {"ranks", "values"}, default="ranks"
        Whether neighbouring classes are 1 apart, or as far as their (numeric) labels.

    Returns
    -------
    float
        In classes, from 0 to r - 1 (or in units of the labels), lower is better.

    Raises
    ------
    ValueError
        On wrong input as in `accuracy_score`; with ``average="macro"`` also if a class of
        ``labels`` has no samples in ``y_true`` (without ``labels``, the average runs over the
        classes that have samples).

    References
    ----------
    Baccianella, Esuli, Sebastiani (2009), Evaluation measures for ordinal regression, ISDA,
    eq. (1) and (4).

    Examples
    --------
    >>> mean_absolute_error([1, 2, 3, 3], [1, 2, 3, 1])
    0.5
    >>> mean_absolute_error([1, 2, 3, 3], [1, 2, 3, 1], average="macro")
    0.3333...
    """
    by_class = average != "micro"
    confusion = count_confusion(y_true, y_pred, sample_weight, labels, distances, by_class=by_class)
    return confusion.mean(confusion.distances, average)


def mean_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    average: Average = "micro",
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
    distances: Distances = "ranks",
) -> float:
    """Mean squared distance between true and predicted class.

    Parameters
    ----------
    y_true, y_pred, average, sample_weight, labels, distances
        As in `mean_absolute_error`.

    Returns
    -------
    float
        In squared classes, from 0 to (r - 1)**2 (or squared units of the labels), lower is better.

    Raises
    ------
    ValueError
        On wrong input as in `mean_absolute_error`.

    References
    ----------
    Baccianella, Esuli, Sebastiani (2009), Evaluation measures for ordinal regression, ISDA,
    eq. (2) and (4).

    Examples
    --------
    >>> mean_squared_error([1, 2, 3, 3], [1, 2, 3, 1])
    1.0
    >>> mean_squared_error([1, 2, 3, 3], [1, 2, 3, 1], average="macro")
    0.6666...
    """
    by_class = average != "micro"
    confusion = count_confusion(y_true, y_pred, sample_weight, labels, distances, by_class=by_class)
    return confusion.mean(confusion.distances**2, average)


def root_mean_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    average: Average = "micro",
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
    distances: Distances = "ranks",
) -> float:
    """Square root of `mean_squared_error`.

    With ``average="macro"`` the root is taken of the average, not averaged: only so are both
    averages equal on balanced data, as they should be.

    Parameters
    ----------
    y_true, y_pred, average, sample_weight, labels, distances
        As in `mean_absolute_error`.

    Returns
    -------
    float
        In classes, from 0 to r - 1 (or in units of the labels), lower is better.

    Raises
    ------
    ValueError
        On wrong input as in `mean_absolute_error`.

    References
    ----------
    Baccianella, Esuli, Sebastiani (2009), Evaluation measures for ordinal regression, ISDA,
    section 3 and eq. (4).

    Examples
    --------
    >>> root_mean_squared_error([1, 2, 3, 3], [1, 2, 3, 1])
    1.0
    >>> root_mean_squared_error([1, 2, 3, 3], [1, 2, 3, 1], average="macro")
    0.8164...
    """
    squared = mean_squared_error(
        y_true,
        y_pred,
        average=average,
        sample_weight=sample_weight,
        labels=labels,
        distances=distances,
    )
    return float(np.sqrt(squared))


def maximum_mean_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
    distances: Distances = "ranks",
) -> float:
    """Mean distance between true and predicted class in the class where it is greatest.

    Parameters
    ----------
    y_true, y_pred, sample_weight, labels, distances
        As in `mean_absolute_error`.

    Returns
    -------
    float
        In classes, from 0 to r - 1 (or in units of the labels), lower is better.

    Raises
    ------
    ValueError
        On wrong input as in `mean_absolute_error` with ``average="macro"``.

    References
    ----------
    Cruz-Ramirez, Hervas-Martinez, Sanchez-Monedero, Gutierrez (2014), Metrics to guide a
    multi-objective evolutionary algorithm for ordinal classification, Neurocomputing 135:21-31.

    Examples
    --------
    >>> maximum_mean_absolute_error([1, 2, 3, 3], [1, 2, 3, 1])
    1.0
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels, distances, by_class=True)
    return float(confusion.class_means(confusion.distances).max())
