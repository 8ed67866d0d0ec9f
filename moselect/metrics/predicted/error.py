"""How far predicted classes are from the true ones, and the least error without any feature."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from moselect._validation import check_choice
from moselect.labels import class_labels
from moselect.metrics.predicted.confusion import Average, Distances, count_confusion


def mean_zero_one_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    average: Average = "micro",
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
) -> float:
    """Share of samples whose class is not predicted (Baccianella et al. 2009, eq. 3 and 4).

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
    """Mean squared distance between true and predicted class (Baccianella et al. 2009, eq. 2).

    Parameters
    ----------
    y_true, y_pred, average, sample_weight, labels, distances
        As in `mean_absolute_error`, whose errors these are, too.

    Returns
    -------
    float
        In squared classes, from 0 to (r - 1)**2 (or squared units of the labels), lower is better.

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
    """Square root of `mean_squared_error` (Baccianella et al. 2009, section 3).

    With ``average="macro"`` the root is taken of the average, not averaged: only so are both
    averages equal on balanced data, as they should be.

    Parameters
    ----------
    y_true, y_pred, average, sample_weight, labels, distances
        As in `mean_absolute_error`, whose errors these are, too.

    Returns
    -------
    float
        In classes, from 0 to r - 1 (or in units of the labels), lower is better.

    Examples
    --------
    >>> root_mean_squared_error([1, 2, 3, 3], [1, 2, 3, 1])
    1.0
    >>> root_mean_squared_error([1, 2, 3, 3], [1, 2, 3, 1], average="macro")
    0.8164...
    """
    by_class = average != "micro"
    confusion = count_confusion(y_true, y_pred, sample_weight, labels, distances, by_class=by_class)
    return float(np.sqrt(confusion.mean(confusion.distances**2, average)))


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
        As in `mean_absolute_error` with ``average="macro"``, whose errors these are, too.

    Returns
    -------
    float
        In classes, from 0 to r - 1 (or in units of the labels), lower is better.

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


ERRORS: dict[str, Callable[..., float]] = {
    "mean_zero_one_error": mean_zero_one_error,
    "mean_absolute_error": mean_absolute_error,
    "mean_squared_error": mean_squared_error,
    "root_mean_squared_error": root_mean_squared_error,
    "macro_zero_one_error": partial(mean_zero_one_error, average="macro"),
    "macro_mean_absolute_error": partial(mean_absolute_error, average="macro"),
    "macro_mean_squared_error": partial(mean_squared_error, average="macro"),
    "macro_root_mean_squared_error": partial(root_mean_squared_error, average="macro"),
    "maximum_mean_absolute_error": maximum_mean_absolute_error,
}


class TrivialClassifier(NamedTuple):
    """A class, and the error of predicting it for every sample."""

    label: Any
    error: float


def trivial_classifier(
    y_true: ArrayLike,
    *,
    error: str | Callable[..., float] = "mean_absolute_error",
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
) -> TrivialClassifier:
    """Find the class whose prediction for every sample has the least error (Baccianella 2009).

    The majority class has the least zero-one error, the weighted median the least mean absolute
    error, and a middle class the least macro-averaged mean absolute error: r / 4 for even r and
    (r**2 - 1) / (4 r) for odd r.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True classes: numbers, an ordered Categorical, or strings with ``labels``.
    error : str or callable, default="mean_absolute_error"
        Name of one of the errors of `moselect.metrics`, after ``"macro_"`` for an average over
        classes (``"macro_zero_one_error"``, ``"macro_mean_absolute_error"``, ...); or a function
        ``error(y_true, y_pred, *, sample_weight, labels)`` that is better when lower.
    sample_weight : array-like of shape (n,), optional
        Weights of the samples.
    labels : sequence, optional
        All classes, lowest first; by default those of ``y_true`` in their order.

    Returns
    -------
    TrivialClassifier
        Fields ``label``, the lowest of equally good classes, and ``error``.

    Raises
    ------
    ValueError
        If the name is unknown, or where the error itself is undefined.

    Examples
    --------
    >>> trivial_classifier([1, 2, 2, 3, 4, 5], error="macro_mean_absolute_error")
    TrivialClassifier(label=3, error=1.2)
    """
    if isinstance(error, str):
        error = ERRORS[check_choice("error", error, tuple(ERRORS))]
    classes = class_labels(y_true, labels, keep_unused=True).tolist()
    n = np.shape(y_true)[0]
    best = TrivialClassifier(None, np.inf)
    for label in classes:
        predicted = np.full(n, label)
        value = error(y_true, predicted, sample_weight=sample_weight, labels=labels)
        if value < best.error * (1 - 1e-12):  # equal but for rounding: the lowest class stays
            best = TrivialClassifier(label, value)
    return best
