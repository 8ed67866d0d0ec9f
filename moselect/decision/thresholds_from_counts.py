"""The thresholds that cost least on more scores than fit into memory."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from moselect._kernels.binned_cuts import least_cost_bound
from moselect._kernels.cutpoints import best_cuts, cuts_to_thresholds
from moselect._types import Floats
from moselect.decision.costs import Costs, as_costs
from moselect.metrics import RankingCounts


class BinnedThresholds(NamedTuple):
    """Thresholds from counts.

    Attributes
    ----------
    thresholds : ndarray of shape (r - 1,)
        Ascending, each half-way between two neighbouring scores.
    cost : float
        Mean cost of a sample under them.
    least_cost : float
        No thresholds cost less than this.

    Examples
    --------
    >>> from moselect.metrics import RankingCounts
    >>> counts = RankingCounts([1, 2]).update([1, 1, 2, 2], [0.0, 2.0, 1.0, 3.0])
    >>> found = exact_thresholds_from_counts(counts, [1, 5])
    >>> found.thresholds, found.cost
    (array([0.5]), 0.25)
    """

    thresholds: Floats
    cost: float
    least_cost: float


def exact_thresholds_from_counts(
    counts: RankingCounts, costs: Costs | ArrayLike
) -> BinnedThresholds:
    """Find thresholds of least cost among those between the bins of counted scores.

    The cost is that of `exact_thresholds` up to what a few bins hold. How far it is from it at
    most is known: compare ``cost`` with ``least_cost``; finer bins bring them together
    (`moselect.metrics.count_rankings`).

    Parameters
    ----------
    counts : RankingCounts
        Samples of every class.
    costs : Costs, or array-like of shape (r,) or (r, r)
        What mistakes cost: for each class, or as a matrix with true classes in rows.

    Returns
    -------
    BinnedThresholds

    Raises
    ------
    ValueError
        If a class has no samples or the costs do not fit the classes.

    Examples
    --------
    >>> counts = RankingCounts([1, 2]).update([1, 2, 2], [0.0, 1.0, 2.0])
    >>> exact_thresholds_from_counts(counts, [[0, 1], [1, 0]])
    BinnedThresholds(thresholds=array([0.5]), cost=0.0, least_cost=0.0)
    """
    class_weights = counts.class_weights
    matrix = as_costs(costs).resolve(counts.classes, class_weights).in_use
    occupied = counts.occupied()
    m, r = occupied.counts.shape
    cuts, thresholds = np.empty(r - 1, dtype=np.int64), np.empty(r - 1)
    ones, between = np.ones(m, dtype=np.int64), np.ones(m, dtype=np.bool_)
    total = best_cuts(np.arange(m), ones, between, m, occupied.counts @ matrix, cuts)
    ends = np.stack([occupied.low, occupied.high], axis=1).ravel()
    cuts_to_thresholds(ends, 2 * cuts, thresholds)
    least = least_cost_bound(occupied.counts, occupied.tied, matrix)
    n = class_weights.sum()
    return BinnedThresholds(thresholds, float(total / n), float(min(least, total) / n))
