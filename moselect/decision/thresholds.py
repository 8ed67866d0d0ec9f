"""The thresholds that cost least on given scores, found exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from moselect._kernels.cutpoints import best_cuts, cuts_to_thresholds
from moselect._kernels.runs import find_runs
from moselect.metrics.ranked import rank_objects

Floats = NDArray[np.float64]


def exact_thresholds(
    scores: Floats, codes: NDArray[np.int64], costs: Floats
) -> tuple[Floats, float]:
    """Find thresholds of least total cost by dynamic programming over the sorted scores.

    Parameters
    ----------
    scores : ndarray of shape (n,)
        Finite scores.
    codes : ndarray of shape (n,)
        Class codes 0 .. r - 1.
    costs : ndarray of shape (r, r)
        Cost of predicting each class (columns) for each true class (rows).

    Returns
    -------
    thresholds : ndarray of shape (r - 1,)
        Ascending, each half-way between two neighbouring scores.
    cost : float
        Mean cost of an object under them; no other thresholds have less.

    Examples
    --------
    >>> thresholds, cost = exact_thresholds(
    ...     np.array([0.0, 1.0, 2.0]), np.array([0, 1, 1]), np.array([[0.0, 1.0], [1.0, 0.0]])
    ... )
    >>> thresholds, cost
    (array([0.5]), 0.0)
    """
    n, r = len(scores), len(costs)
    ranked = rank_objects(scores, codes, r)
    run_class, run_count = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    run_ends, cuts = np.empty(n, dtype=np.bool_), np.empty(r - 1, dtype=np.int64)
    n_runs = find_runs(ranked.keys, ranked.bits, r, run_class, run_count, run_ends)
    total = best_cuts(run_class, run_count, run_ends, n_runs, costs, cuts)
    thresholds = np.empty(r - 1)
    # Sorted anew: objects of one class whose scores all but agree share a key, in any order.
    cuts_to_thresholds(np.sort(scores), cuts, thresholds)
    return thresholds, float(total) / n
