"""Thresholds on given scores that minimise a cost or optimise a metric."""

import numpy as np

from moselect._kernels.cutpoints import positions_to_thresholds
from moselect._types import Floats, Integers
from moselect.costs.decisions import cheapest_thresholds_of_costs, costs_at
from moselect.metrics.decision_metrics import DecisionMetric, Solution


def exact_thresholds(
    scores: Floats, codes: Integers, costs: Floats, weights: Floats | None = None
) -> tuple[Floats, float]:
    """Find thresholds of least total cost by dynamic programming over the sorted scores.

    Parameters
    ----------
    scores : ndarray of shape (n,)
        Finite scores.
    codes : ndarray of shape (n,)
        Class codes 0 .. r - 1.
    costs : ndarray of shape (r, r) or (n, r, r)
        Cost of predicting each class (columns) for each true class (rows); of each sample
        with three dimensions.
    weights : ndarray of shape (n,), optional
        Weights of the samples.

    Returns
    -------
    thresholds : ndarray of shape (r - 1,)
        Ascending, each half-way between two neighbouring scores.
    cost : float
        Mean cost of a sample under them; no other thresholds have less.

    Examples
    --------
    >>> thresholds, cost = exact_thresholds(
    ...     np.array([0.0, 1.0, 2.0]), np.array([0, 1, 1]), np.array([[0.0, 1.0], [1.0, 0.0]])
    ... )
    >>> thresholds, cost
    (array([0.5]), 0.0)
    """
    object_costs = costs_at(np.asarray(costs, dtype=np.float64), codes)
    if weights is not None:
        object_costs = object_costs * weights[:, None]
    thresholds, total = cheapest_thresholds_of_costs(scores, object_costs)
    return thresholds, total / (len(scores) if weights is None else float(weights.sum()))


def metric_thresholds(
    metric: DecisionMetric, scores: Floats, masses: Floats
) -> tuple[Floats, Solution]:
    """Find the thresholds of greatest metric, by a few dynamic programmes along the score.

    Parameters
    ----------
    metric : DecisionMetric
        The metric.
    scores : ndarray of shape (n,)
        Finite scores.
    masses : ndarray of shape (n, r)
        Weight of each sample in each class: in its true class, or by class probabilities.

    Returns
    -------
    thresholds : ndarray of shape (r - 1,)
        Ascending, each half-way between two neighbouring scores.
    solution : Solution
        Costs that these thresholds minimise, confusion matrix and remaining gap.

    Examples
    --------
    >>> from moselect.metrics.metric_names import metric_named
    >>> kappa = metric_named("quadratic_kappa", ["low", "mid", "high"])
    >>> scores, codes = np.array([0.1, 0.3, 0.2, 0.8, 0.5, 0.9]), [0, 0, 1, 1, 1, 2]
    >>> thresholds, solution = metric_thresholds(kappa, scores, np.eye(3)[codes])
    >>> thresholds, round(float(kappa.value(kappa.loss(solution.confusions))), 3)
    (array([0.4 , 0.85]), 0.842)
    """
    order = np.argsort(scores, kind="stable")
    ascending = scores[order]
    masses = masses[order]
    # Masses (n + 1, r) of the samples below each cut position.
    below = np.concatenate([np.zeros((1, masses.shape[1])), masses.cumsum(axis=0)])

    def positions_at(costs: Floats) -> Integers:
        thresholds = cheapest_thresholds_of_costs(ascending, masses @ costs)[0]
        return np.searchsorted(ascending, thresholds, side="right")

    solution = metric.solve(
        lambda costs: _confusions(below, positions_at(costs)), below[-1]
    )
    solved = positions_at(solution.costs)
    if solution.gap > 0.0:
        inner = np.flatnonzero(ascending[1:] != ascending[:-1]) + 1
        positions = np.array((0, *inner, len(scores)))
        solved, confusion = _moved(metric, below, positions, solved)
        gained = metric.loss(solution.confusions) - metric.loss(confusion)
        gap = np.maximum(solution.gap - gained, 0.0)
        solution = Solution(solution.costs, confusion, gap)
    return positions_to_thresholds(ascending, solved), solution


def _confusions(below: Floats, solved: Integers) -> Floats:
    """Compute the confusion matrices (..., r, r) of cut positions (..., r - 1)."""
    total = np.broadcast_to(below[-1], (*solved.shape[:-1], 1, below.shape[1]))
    up_to = np.concatenate([below[solved], total], axis=-2)
    return np.swapaxes(np.diff(up_to, axis=-2, prepend=0.0), -1, -2)


# Joint moves of the thresholds that are tried where a gap remains, and the steps of
# single ones in possible cut positions.
MAX_JOINT_MOVES = 40_000
STEPS = (256, 64, 16, 4, 1)


def _moved(
    metric: DecisionMetric, below: Floats, positions: Integers, solved: Integers
) -> tuple[Integers, Floats]:
    """Narrow a gap: move all cuts jointly while that is better, in ever shorter steps."""
    n_boundaries = len(solved)
    places = np.searchsorted(positions, solved)
    n_steps = (int(MAX_JOINT_MOVES ** (1.0 / n_boundaries)) - 1) // 2
    moves = (
        np.indices([2 * n_steps + 1] * n_boundaries).reshape(n_boundaries, -1).T - n_steps
    )
    confusion = _confusions(below, solved)
    for step in STEPS:
        improves = True
        while improves:
            tried = places + step * moves
            rises = np.diff(tried, prepend=0, append=len(positions) - 1) >= 0
            tried = tried[rises.all(axis=1)]
            confusions = _confusions(below, positions[tried])
            losses = metric.loss(confusions)
            best = losses.argmin()
            improves = losses[best] < metric.loss(confusion)
            if improves:
                places = tried[best]
                confusion = confusions[best]
    return positions[places], confusion
