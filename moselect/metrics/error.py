"""How far predicted classes are from the true ones, on average over objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from moselect.metrics.confusion import Distances, count_confusion


def accuracy_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
) -> float:
    """Share of objects whose class is predicted.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted classes: numbers, ordered Categoricals, or strings with ``labels``.
    sample_weight : array-like of shape (n,), optional
        Weights of the objects.
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
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
) -> float:
    """Share of objects whose class is not predicted.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted classes: numbers, ordered Categoricals, or strings with ``labels``.
    sample_weight : array-like of shape (n,), optional
        Weights of the objects.
    labels : sequence, optional
        All classes, lowest first. Without it they are the categories of an ordered Categorical,
        or the numbers in ``y_true`` and ``y_pred``: give it if a class may be in neither.

    Returns
    -------
    float
        Between 0 and 1, lower is better.

    Raises
    ------
    ValueError
        On wrong input as in `accuracy_score`.

    References
    ----------
    Baccianella, Esuli, Sebastiani (2009), Evaluation measures for ordinal regression, ISDA,
    eq. (3).

    Examples
    --------
    >>> mean_zero_one_error([1, 2, 3, 3], [1, 2, 3, 1])
    0.25
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels)
    return confusion.mean(confusion.zero_one)


def mean_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
    distances: Distances = "ranks",
) -> float:
    """Mean distance between true and predicted class.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted classes: numbers, ordered Categoricals, or strings with ``labels``.
    sample_weight : array-like of shape (n,), optional
        Weights of the objects.
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
        On wrong input as in `accuracy_score`.

    References
    ----------
    Baccianella, Esuli, Sebastiani (2009), Evaluation measures for ordinal regression, ISDA,
    eq. (1).

    Examples
    --------
    >>> mean_absolute_error([1, 2, 3, 3], [1, 2, 3, 1])
    0.5
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels, distances)
    return confusion.mean(confusion.distances)


def mean_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
    distances: Distances = "ranks",
) -> float:
    """Mean squared distance between true and predicted class.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted classes: numbers, ordered Categoricals, or strings with ``labels``.
    sample_weight : array-like of shape (n,), optional
        Weights of the objects.
    labels : sequence, optional
        All classes, lowest first. Without it they are the categories of an ordered Categorical,
        or the numbers in ``y_true`` and ``y_pred``: give it if a class may be in neither.
    distances : {"ranks", "values"}, default="ranks"
        Whether neighbouring classes are 1 apart, or as far as their (numeric) labels.

    Returns
    -------
    float
        In squared classes, from 0 to (r - 1)**2 (or squared units of the labels), lower is better.

    Raises
    ------
    ValueError
        On wrong input as in `accuracy_score`.

    References
    ----------
    Baccianella, Esuli, Sebastiani (2009), Evaluation measures for ordinal regression, ISDA,
    eq. (2).

    Examples
    --------
    >>> mean_squared_error([1, 2, 3, 3], [1, 2, 3, 1])
    1.0
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels, distances)
    return confusion.mean(confusion.distances**2)


def root_mean_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
    distances: Distances = "ranks",
) -> float:
    """Square root of the mean squared distance between true and predicted class.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted classes: numbers, ordered Categoricals, or strings with ``labels``.
    sample_weight : array-like of shape (n,), optional
        Weights of the objects.
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
        On wrong input as in `accuracy_score`.

    References
    ----------
    Baccianella, Esuli, Sebastiani (2009), Evaluation measures for ordinal regression, ISDA,
    section 3.

    Examples
    --------
    >>> root_mean_squared_error([1, 2, 3, 3], [1, 2, 3, 1])
    1.0
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels, distances)
    return float(np.sqrt(confusion.mean(confusion.distances**2)))
