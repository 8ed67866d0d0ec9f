"""What mistakes cost."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

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


def check_cost_matrix(matrix: ArrayLike, n_classes: int) -> NDArray[np.float64]:
    """Give a cost matrix as floats, or say what is wrong with it.

    Raises
    ------
    ValueError
        If the shape is not (r, r), or entries are negative, not finite, or all zero.
    """
    costs = np.asarray(matrix, dtype=np.float64)
    if costs.shape != (n_classes, n_classes):
        raise ValueError(
            f"the cost matrix has shape {costs.shape}, but {n_classes} classes need "
            f"({n_classes}, {n_classes}): rows true classes, columns predicted ones"
        )
    if not np.isfinite(costs).all():
        raise ValueError("costs must be finite numbers, but there is a NaN or infinity")
    if (costs < 0.0).any():
        raise ValueError(f"costs must not be negative, but there is {costs.min():g}")
    if not costs.any():
        raise ValueError("all costs are 0: every model would be best")
    return costs


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
