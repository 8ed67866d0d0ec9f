"""Crowding distance of the points of a front."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect._kernels.pareto import add_crowding


def crowding_distance(points: ArrayLike) -> NDArray[np.float64]:
    """Crowding distance of each point (Deb et al. 2002, section III-B).

    Parameters
    ----------
    points : array-like of shape (n, m)
        Objective values.

    Returns
    -------
    ndarray of shape (n,)
        0 upwards, higher in less explored regions; infinite for the extremes of an objective.

    Examples
    --------
    >>> crowding_distance([[0.0, 3.0], [1.0, 2.0], [3.0, 0.0]])
    array([inf,  2., inf])
    """
    values = np.asarray(points, dtype=np.float64)
    distance = np.zeros(len(values))
    if len(values):
        order = np.argsort(values, axis=0, kind="stable")
        for j in range(values.shape[1]):
            add_crowding(values[:, j], order[:, j], distance)
    return distance
