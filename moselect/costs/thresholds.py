"""Thresholds on given scores that minimise a cost or optimise a metric."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from moselect._kernels.cutpoints import positions_to_thresholds
from moselect._types import Floats, Integers
from moselect.costs.decisions import cheapest_thresholds_of_costs, costs_at
from moselect.metrics.decision_metrics import DecisionMetric, Solution
from moselect.validation import (
    as_costs,
    as_numbers,
    check_all_finite,
    check_weights,
    weights_or_ones,
)


def check_scored(
    scores: ArrayLike, codes: ArrayLike, costs: ArrayLike, weights: ArrayLike | None
) -> tuple[Floats, Integers, Floats, Floats]:
    """Return scores, class codes, costs and weights, 1 by default, of the same samples.

    ValueError if they do not fit each other.
    """
    values = as_numbers("scores", scores)
    check_all_finite("scores", values)
    cells = as_costs("costs", costs)
    ranks = np.asarray(codes)
    if values.ndim != 1 or ranks.shape != values.shape:
        raise ValueError(
            f"scores have shape {values.shape} and codes {ranks.shape}: give one of each a "
            "sample, (n,)"
        )
    r = len(cells.T)
    if cells.shape not in ((r, r), (len(values), r, r)):
        raise ValueError(f"costs have shape {cells.shape}: give (r, r) or (n, r, r)")
    if not np.isin(ranks, np.arange(r)).all():
        raise ValueError(
            f"codes must be class codes from 0 to {r - 1}: moselect.thresholds takes labels"
        )
    known = weights_or_ones(check_weights(weights, len(values)), len(values))
    return values, ranks.astype(int), cells, known


def exact_thresholds(
    scores: ArrayLike,
    codes: ArrayLike,
    costs: ArrayLike,
    weights: ArrayLike | None = None,
) -> tuple[Floats, float]:
    """Find thresholds of least total cost by dynamic programming over the sorted scores.

    Parameters
    ----------
    scores : array-like of shape (n,)
        Finite scores.
    codes : array-like of shape (n,)
        Class codes 0 .. r - 1; `moselect.thresholds` takes labels.
    costs : array-like of shape (r, r) or (n, r, r)
        Cost of predicting each class (columns) for each true class (rows); of each sample
        with three dimensions.
    weights : array-like of shape (n,), optional
        Weights of the samples, at least 0.

    Returns
    -------
    thresholds : ndarray of shape (r - 1,)
        Ascending, each half-way between two neighbouring scores.
    cost : float
        Mean cost of a sample under them; no other thresholds have less.

    Raises
    ------
    ValueError
        If scores, codes, costs and weights do not fit each other.

    Examples
    --------
    >>> thresholds, cost = exact_thresholds(
    ...     np.array([0.0, 1.0, 2.0]), np.array([0, 1, 1]), np.array([[0.0, 1.0], [1.0, 0.0]])
    ... )
    >>> thresholds, cost
    (array([0.5]), 0.0)
    """
    values, ranks, cells, known = check_scored(scores, codes, costs, weights)
    object_costs = costs_at(cells, ranks) * known[:, None]
    thresholds, total = cheapest_thresholds_of_costs(values, object_costs)
    return thresholds, total / float(known.sum())


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
        Costs that these thresholds, or near ones, minimise, and the confusion matrix.

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
    if not metric.is_exact:
        inner = np.flatnonzero(ascending[1:] != ascending[:-1]) + 1
        positions = np.array((0, *inner, len(scores)))
        solved, confusion = _moved(metric, below, positions, solved)
        solution = Solution(solution.costs, confusion)
    return positions_to_thresholds(ascending, solved), solution


def _confusions(below: Floats, solved: Integers) -> Floats:
    """Compute the confusion matrices (..., r, r) of cut positions (..., r - 1)."""
    total = np.broadcast_to(below[-1], (*solved.shape[:-1], 1, below.shape[1]))
    up_to = np.concatenate([below[solved], total], axis=-2)
    return np.swapaxes(np.diff(up_to, axis=-2, prepend=0.0), -1, -2)


# Joint moves of the thresholds that are tried, and the steps of single ones in possible
# cut positions.
MAX_JOINT_MOVES = 40_000
STEPS = (256, 64, 16, 4, 1)


def _moved(
    metric: DecisionMetric, below: Floats, positions: Integers, solved: Integers
) -> tuple[Integers, Floats]:
    """Move all thresholds jointly while that is better, in ever shorter steps."""
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
