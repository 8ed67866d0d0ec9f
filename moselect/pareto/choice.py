"""Choice of a point of a front: knees and compromises, by pymoo's decision helpers."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect._types import Floats

LEAST_WEIGHT = 1e-10  # of an objective that does not matter, which then breaks ties only


def knee_points(points: ArrayLike) -> NDArray[np.int64]:
    """Find the points that every step to a neighbour makes much worse.

    Of each point is taken the least loss, all objectives together, for a unit of gain, among the
    points within 1/8 of it (Rachmawati and Srinivasan 2009). Knees are the points that stand out
    in it: 2 standard deviations above the mean, or else the best if it is at least 1 above.

    Parameters
    ----------
    points : array-like of shape (n, m)
        Objective values, maximised; each objective is scaled to 0..1.

    Returns
    -------
    ndarray of int
        Indices of the knees, ascending. There are none among fewer than three points, and where
        all trade-offs are alike.

    Examples
    --------
    >>> knee_points([[0.0, 1.0], [0.9, 0.9], [1.0, 0.0]])
    array([1])
    """
    unique, indices = np.unique(_regret(points), axis=0, return_index=True)
    if len(unique) < 3:  # on which pymoo fails
        return np.empty(0, dtype=np.int64)
    with warnings.catch_warnings():  # pymoo changes the filters, and divides 0 by 0
        warnings.simplefilter("ignore")
        from pymoo.mcdm.high_tradeoff import HighTradeoffPoints

        found = HighTradeoffPoints().do(unique)
    return np.sort(indices[[] if found is None else found])


def compromise_point(points: ArrayLike, weights: ArrayLike) -> int:
    """Find the point whose worst regret is least.

    The regret of a point in an objective is how far it is behind the best, as a share of the range
    over the front, times the weight (achievement scalarising function of Wierzbicki 1980).

    Parameters
    ----------
    points : array-like of shape (n, m)
        Objective values, maximised.
    weights : array-like of shape (m,)
        Importance of each objective, 0 upwards; only their ratios matter.

    Returns
    -------
    int
        Its index.

    Raises
    ------
    ValueError
        If weights are missing, negative, not finite or all 0.

    Notes
    -----
    Pseudo-weights, another way to find a point for weights, are not offered: they compare the
    proportions of regrets only, so that a point which is poor in everything has those of a good
    one, and are not defined if an objective is the same everywhere.

    Examples
    --------
    >>> points = [[0.0, 1.0], [0.5, 0.7], [1.0, 0.0]]
    >>> compromise_point(points, [1, 1]), compromise_point(points, [5, 1])
    (1, 2)
    """
    from pymoo.decomposition.asf import ASF

    regret = _regret(points)
    importance = np.asarray(weights, dtype=np.float64)
    if importance.shape != regret.shape[1:]:
        raise ValueError(f"weights have shape {importance.shape}, expected {regret.shape[1:]}")
    if not (np.isfinite(importance).all() and (importance >= 0.0).all() and importance.any()):
        raise ValueError("weights must be finite, none negative, and not all 0")
    relative = np.maximum(importance / importance.max(), LEAST_WEIGHT)
    return int(ASF().do(regret, 1.0 / relative).argmin())  # pymoo divides by the weights


def _regret(points: ArrayLike) -> Floats:
    """Return how far each point (n, m) is behind the best, as a share of the range."""
    values = np.asarray(points, dtype=np.float64)
    behind = values.max(axis=0) - values
    span = behind.max(axis=0)
    return behind / np.where(span > 0.0, span, 1.0)
