"""What mistakes cost."""

from __future__ import annotations

import warnings
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect._validation import check_cost_matrix, check_priors, require_samples

Loss = Literal["absolute", "squared", "zero_one"]


def cost_matrix(class_costs: ArrayLike, loss: Loss = "absolute") -> NDArray[np.float64]:
    """Build the cost of predicting each class for each true class (Waegeman et al. 2008, eq. 15).

    Parameters
    ----------
    class_costs : array-like of shape (r,)
        What a mistake costs on an object of each class, lowest class first; 0 upwards.
    loss : {"absolute", "squared", "zero_one"}, default="absolute"
        How the cost grows with the distance between the classes, counted in ranks.

    Returns
    -------
    ndarray of shape (r, r)
        Rows are true classes, columns predicted ones; the diagonal is 0.

    Raises
    ------
    ValueError
        If costs are negative, not finite, all zero, or fewer than two.

    Examples
    --------
    >>> cost_matrix([1, 1, 5])
    array([[ 0.,  1.,  2.],
           [ 1.,  0.,  1.],
           [10.,  5.,  0.]])
    """
    costs = np.asarray(class_costs, dtype=np.float64)
    if costs.ndim != 1 or len(costs) < 2:
        raise ValueError(f"class_costs has shape {costs.shape}: give one cost a class, at least 2")
    if not np.isfinite(costs).all():
        raise ValueError("costs must be finite numbers, but there is a NaN or infinity")
    if loss not in get_args(Loss):
        raise ValueError(f"unknown loss {loss!r}: choose from {', '.join(get_args(Loss))}")
    distance = np.abs(np.subtract.outer(np.arange(len(costs)), np.arange(len(costs))))
    power = {"absolute": distance, "squared": distance**2, "zero_one": distance > 0}[loss]
    return check_cost_matrix(costs[:, None] * power, len(costs))


def resolve_costs(
    n_classes: int, class_costs: ArrayLike | None, loss: Loss, matrix: ArrayLike | None
) -> NDArray[np.float64]:
    """Give the cost matrix (r, r) from whichever of its two descriptions is there.

    Raises
    ------
    ValueError
        If there is none or both, or costs do not fit the number of classes.
    """
    if (class_costs is None) == (matrix is None):
        raise ValueError("give either class_costs or cost_matrix")
    if matrix is not None:
        return check_cost_matrix(matrix, n_classes)
    given = np.asarray(class_costs, dtype=np.float64)
    if given.shape != (n_classes,):
        raise ValueError(f"class_costs has shape {given.shape}, but there are {n_classes} classes")
    return cost_matrix(given, loss)


def costs_in_use(
    classes: NDArray[Any],
    masses: NDArray[np.float64],
    class_costs: ArrayLike | None,
    loss: Loss,
    matrix: ArrayLike | None,
    priors: ArrayLike | None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the cost matrix, and what it is worth on data with other class shares than in use.

    An object of a class that is ``prior / share`` times commoner in use stands for so many there,
    so its row of the matrix is multiplied: P'(y | s) is proportional to P(y | s) prior / share.

    Parameters
    ----------
    classes : ndarray of shape (r,)
        Class labels, lowest first.
    masses : ndarray of shape (r,)
        Total weight of the objects of each class.
    class_costs, loss, matrix
        As in `resolve_costs`; with neither costs nor a matrix every class costs 1.
    priors : array-like of shape (r,), optional
        Shares of the classes in use, of sum 1.

    Raises
    ------
    ValueError
        If a class has no objects, or costs or priors do not fit the classes.
    """
    require_samples(masses, classes, "a rule for given costs")
    if class_costs is None and matrix is None:
        class_costs = np.ones(len(classes))
    costs = resolve_costs(len(classes), class_costs, loss, matrix)
    dear = np.flatnonzero(_diagonal_excess(costs) > 0.0)
    if len(dear):
        warnings.warn(
            f"being right about class {classes[dear[0]]} costs more than predicting a neighbouring "
            "class: is the cost matrix transposed or shifted?",
            UserWarning,
            stacklevel=3,
        )
    if priors is None:
        return costs, costs
    shares = masses / masses.sum()
    return costs, costs * (check_priors(priors, len(classes)) / shares)[:, None]


def _diagonal_excess(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much dearer each class is than its cheapest neighbour, at most."""
    padded = np.pad(costs, ((0, 0), (1, 1)), constant_values=np.inf)
    rows = np.arange(len(costs))
    return np.asarray(costs[rows, rows] - np.minimum(padded[rows, rows], padded[rows, rows + 2]))
