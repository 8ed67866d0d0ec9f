"""Agreement of predicted with true classes, and the expected cost."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import LabelOrder
from moselect.metrics.predicted.confusion import count_confusion
from moselect.samples.class_values import in_class_order
from moselect.samples.labels import order_is_guessed
from moselect.samples.validation import (
    check_choice,
    check_cost_matrix,
    check_priors,
    require_samples,
)


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


def expected_cost(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    cost_matrix: ArrayLike,
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
    cost_matrix : array-like of shape (r, r)
        Rows are true classes, columns predicted ones; see `moselect.cost_matrix`.
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
