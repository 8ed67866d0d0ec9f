"""Errors averaged over classes, so that a rare class counts as much as a common one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from moselect.metrics.confusion import Distances, count_confusion


def macro_zero_one_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
) -> float:
    """Share of objects whose class is not predicted, averaged over the true classes.

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
        On wrong input as in `accuracy_score`, and if a class of ``labels`` has no objects in
        ``y_true``; without ``labels`` the average runs over the classes that have objects.

    References
    ----------
    Baccianella, Esuli, Sebastiani (2009), Evaluation measures for ordinal regression, ISDA,
    eq. (4).

    Examples
    --------
    >>> macro_zero_one_error([1, 2, 3, 3], [1, 2, 3, 1])
    0.1666...
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels, by_class=True)
    return float(confusion.class_means(confusion.zero_one).mean())


def macro_mean_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
    distances: Distances = "ranks",
) -> float:
    """Mean distance between true and predicted class, averaged over the true classes.

    Equal to `mean_absolute_error` on balanced data.

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
        On wrong input as in `accuracy_score`, and if a class of ``labels`` has no objects in
        ``y_true``; without ``labels`` the average runs over the classes that have objects.

    References
    ----------
    Baccianella, Esuli, Sebastiani (2009), Evaluation measures for ordinal regression, ISDA,
    eq. (4).

    Examples
    --------
    >>> macro_mean_absolute_error([1, 2, 3, 3], [1, 2, 3, 1])
    0.3333...
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels, distances, by_class=True)
    return float(confusion.class_means(confusion.distances).mean())


def macro_mean_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
    distances: Distances = "ranks",
) -> float:
    """Mean squared distance, averaged over the true classes.

    Equal to `mean_squared_error` on balanced data.

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
        On wrong input as in `accuracy_score`, and if a class of ``labels`` has no objects in
        ``y_true``; without ``labels`` the average runs over the classes that have objects.

    References
    ----------
    Baccianella, Esuli, Sebastiani (2009), Evaluation measures for ordinal regression, ISDA,
    eq. (4).

    Examples
    --------
    >>> macro_mean_squared_error([1, 2, 3, 3], [1, 2, 3, 1])
    0.6666...
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels, distances, by_class=True)
    return float(confusion.class_means(confusion.distances**2).mean())


def macro_root_mean_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
    distances: Distances = "ranks",
) -> float:
    """Square root of the macro-averaged mean squared distance.

    The root is taken of the average, not averaged: only so does the measure equal
    `root_mean_squared_error` on balanced data, as it should.

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
        On wrong input as in `accuracy_score`, and if a class of ``labels`` has no objects in
        ``y_true``; without ``labels`` the average runs over the classes that have objects.

    References
    ----------
    Baccianella, Esuli, Sebastiani (2009), Evaluation measures for ordinal regression, ISDA,
    eq. (4).

    Examples
    --------
    >>> macro_root_mean_squared_error([1, 2, 3, 3], [1, 2, 3, 1])
    0.8164...
    """
    confusion = count_confusion(y_true, y_pred, sample_weight, labels, distances, by_class=True)
    return float(np.sqrt(confusion.class_means(confusion.distances**2).mean()))


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
        On wrong input as in `accuracy_score`, and if a class of ``labels`` has no objects in
        ``y_true``; without ``labels`` the maximum runs over the classes that have objects.

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
