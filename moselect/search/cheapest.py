"""What directions cost with thresholds solved for the costs, and which of them costs least."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from moselect._kernels.objectives import exact_thresholds
from moselect.search.problem import OrdinalProblem

Floats = NDArray[np.float64]


def cheapest_thresholds(
    problem: OrdinalProblem, weights: Floats, costs: Floats
) -> tuple[Floats, Floats]:
    """Give the thresholds along some directions that cost least on the objects of a problem.

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
    thresholds : ndarray of shape (k, r - 1)
    paid : ndarray of shape (k,)
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
    return thresholds, totals / problem.n_objects


def cheapest_model(
    problem: OrdinalProblem, weights: Floats, costs: Floats
) -> tuple[Floats, Floats, float]:
    """Give the direction that costs least, its thresholds and the mean cost of an object.

    Parameters are those of `cheapest_thresholds`.
    """
    thresholds, paid = cheapest_thresholds(problem, weights, costs)
    best = int(paid.argmin())
    return weights[best], thresholds[best], float(paid[best])
