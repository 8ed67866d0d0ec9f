"""Cost-minimising thresholds on given scores."""

from __future__ import annotations

import numpy as np

from moselect._types import Floats, Integers
from moselect.metrics.cost_expressions import costs_at, expected_costs
from moselect.models.calibration import calibrate
from moselect.predictor.thresholds import cheapest_thresholds_of_costs


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


def smooth_thresholds(
    scores: Floats,
    codes: Integers,
    costs: Floats,
    weights: Floats | None = None,
) -> Floats:
    """Find thresholds of least expected cost under calibrated class probabilities.

    Observed costs are replaced by their expectation at each score: thresholds that follow
    the noise of single samples cost 2 to 4 % more in test samples.

    Parameters
    ----------
    scores, codes, costs, weights
        As in `exact_thresholds`. A class may be missing.

    Returns
    -------
    ndarray of shape (r - 1,)
        Ascending, each half-way between two neighbouring scores.

    Examples
    --------
    >>> scores = np.arange(100.0)
    >>> codes = np.where(scores < 50, 0, 1)
    >>> codes[10] = 1
    >>> cheap, dear = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([[0.0, 1.0], [9.0, 0.0]])
    >>> bool(smooth_thresholds(scores, codes, cheap) > smooth_thresholds(scores, codes, dear))
    True
    """
    if costs.ndim == 3:
        proba = calibrate(scores, codes, costs.shape[1], weights)(scores)
        sizes = np.ones(len(scores)) if weights is None else weights
        expected = expected_costs(proba, costs) * sizes[:, None]
        return cheapest_thresholds_of_costs(scores, expected)[0]
    distinct, masses, proba = calibrated(scores, codes, len(costs), weights)
    return cheapest_thresholds_of_costs(distinct, (proba @ costs) * masses)[0]


def calibrated(
    scores: Floats, codes: Integers, n_classes: int, weights: Floats | None = None
) -> tuple[Floats, Floats, Floats]:
    """Return distinct scores (m,), their weights (m, 1) and class probabilities (m, r)."""
    calibration = calibrate(scores, codes, n_classes, weights)
    distinct, place = np.unique(scores, return_inverse=True)
    masses = np.bincount(place, weights, minlength=len(distinct)).astype(np.float64)
    return distinct, masses[:, None], calibration(distinct)


def averaged_thresholds(
    scores: Floats, codes: Integers, costs: Floats, weights: Floats | None = None
) -> Floats:
    """Average smooth thresholds with bagged exact thresholds.

    Exact thresholds overfit single samples, smooth ones depend on the calibration model:
    their mean costs less in test samples than either. Exact thresholds are averaged over
    a Bayesian bootstrap, with random exponential weights (Rubin 1981) and a fixed seed.
    """
    order = np.argsort(scores, kind="stable")
    ascending = scores[order]
    object_costs = costs_at(costs, codes)[order]
    w = np.ones(len(scores)) if weights is None else weights[order]
    rng = np.random.default_rng(0)
    resamples = 10
    drawn = [
        cheapest_thresholds_of_costs(
            ascending, object_costs * rng.standard_gamma(w)[:, None]
        )[0]
        for _ in range(resamples)
    ]
    # The threshold of a class that is never predicted is arbitrary: clip it before
    # averaging.
    margin = scores.std() or 1.0
    low = ascending[0] - margin
    high = ascending[-1] + margin
    smooth = smooth_thresholds(scores, codes, costs, weights)
    return (np.clip(smooth, low, high) + np.clip(drawn, low, high).mean(axis=0)) / 2.0
