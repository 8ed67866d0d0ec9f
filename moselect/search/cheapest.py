"""The direction of a front that costs least, with thresholds solved for the costs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from moselect._kernels.objectives import exact_thresholds
from moselect.search.problem import OrdinalProblem

Floats = NDArray[np.float64]


def cheapest_model(
    problem: OrdinalProblem, weights: Floats, costs: Floats
) -> tuple[Floats, Floats, float]:
    """Give the one of some directions that costs least on the objects of a problem.

    Parameters
    ----------
    problem : OrdinalProblem
        The objects.
    weights : ndarray of shape (k, p)
        Directions, in the units of the features.
    costs : ndarray of shape (r, r)
        Rows are true classes, columns predicted ones.

    Returns
    -------
    weights : ndarray of shape (p,)
    thresholds : ndarray of shape (r - 1,)
        Those that cost least along this direction.
    cost : float
        Mean cost of an object under them.
    """
    totals = np.empty(len(weights))
    thresholds = np.empty((len(weights), problem.n_classes - 1))
    costs = np.ascontiguousarray(costs, dtype=np.float64)

    def solve(part: slice) -> None:
        keys = problem.keys(weights[part])
        keys.sort(axis=1)
        for i, row in enumerate(keys, start=part.start):
            totals[i] = exact_thresholds(row, problem.bits, costs, thresholds[i])

    problem.in_parts(len(weights), solve)
    best = int(totals.argmin())
    return weights[best], thresholds[best], float(totals[best]) / problem.n_objects
