"""What predicted classes cost, for given costs of mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from moselect._validation import check_cost_matrix, check_priors, require_samples
from moselect.labels import is_ordered_categorical
from moselect.metrics.predicted.confusion import count_confusion


def expected_cost(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    cost_matrix: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    priors: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
) -> float:
    """Mean cost of a sample.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted classes: numbers, ordered Categoricals, or strings with ``labels``.
    cost_matrix : array-like of shape (r, r)
        Rows are true classes, columns predicted ones; see `moselect.cost_matrix`.
    sample_weight : array-like of shape (n,), optional
        Weights of the samples.
    priors : array-like of shape (r,), optional
        Shares of the classes in use, of sum 1: the mean costs of the classes are weighted with
        them instead of the shares of the classes in ``y_true``.
    labels : sequence, optional
        All classes, lowest first. Without it they are the categories of an ordered Categorical,
        or the numbers in ``y_true`` and ``y_pred``: give it if a class may be in neither.

    Returns
    -------
    float
        From 0 to the largest cost, lower is better.

    Raises
    ------
    ValueError
        If costs or priors do not fit the classes, a class with a positive prior has no samples,
        or on wrong input as in `accuracy_score`.

    References
    ----------
    Waegeman, De Baets, Boullart (2008), ROC analysis in ordinal regression learning, Pattern
    Recognition Letters 29, 1-9, eq. (15).

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
    if labels is None and not is_ordered_categorical(y_true) and np.shape(cost_matrix) != (r, r):
        raise ValueError(
            f"the cost matrix has shape {np.shape(cost_matrix)}, but y_true and y_pred hold "
            f"{r} classes: give labels=[lowest, ..., highest] if some are in neither"
        )
    costs = check_cost_matrix(cost_matrix, r)
    if priors is None:
        return confusion.mean(costs)
    shares = check_priors(priors, r)
    needed = shares > 0.0
    class_weights = confusion.matrix.sum(axis=1)
    require_samples(class_weights[needed], confusion.classes[needed], "the cost under these priors")
    class_means = (confusion.matrix * costs).sum(axis=1)[needed] / class_weights[needed]
    return float(shares[needed] @ class_means)
