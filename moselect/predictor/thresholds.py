"""Thresholds of least cost along a score, empirical or expected under a calibration."""

import numpy as np
from scipy.optimize import brentq

from moselect._kernels.cutpoints import best_positions, positions_to_thresholds
from moselect._types import Floats
from moselect.metrics.decisions import Referral
from moselect.predictor.card import ScoreCalibration

GRID = 4_001  # grid points that bracket the changes of the optimal class
CERTAIN = 30.0  # logits beyond the outermost cuts, where one class is practically certain
MARGIN = 3.0  # standard deviations beyond all training scores


def cheapest_thresholds_of_costs(
    scores: Floats, object_costs: Floats
) -> tuple[Floats, float]:
    """Find thresholds of least total cost for sample-dependent costs (n, r)."""
    n, r = object_costs.shape
    order = np.argsort(scores, kind="stable")
    ascending = scores[order]
    ends = np.append(ascending[1:] != ascending[:-1], True)
    positions, counts = np.empty(r - 1, dtype=np.int64), np.ones(n, dtype=np.int64)
    total = best_positions(
        np.arange(n), counts, np.ones(n), ends, n, object_costs[order], positions
    )
    return positions_to_thresholds(ascending, positions), float(total)


def outer_scores(scores: Floats) -> Floats:
    """Return a score below and one above all scores (n,)."""
    margin = MARGIN * (scores.std() or 1.0)
    return np.array([scores.min() - margin, scores.max() + margin])


def cheapest_thresholds(
    scores: Floats, calibration: ScoreCalibration, costs: Floats
) -> Floats:
    """Compute the thresholds (r - 1,) of least expected cost along a score, by bisection.

    Thresholds of classes that are never optimal lie outside of all ``scores`` (n,).
    """
    grid = score_grid(scores, calibration)
    thresholds = cheapest_thresholds_of_costs(
        grid, calibration.probabilities(grid) @ costs
    )[0]
    codes = np.searchsorted(thresholds, grid)
    for i in np.flatnonzero(np.diff(codes)):
        lower, upper = codes[i : i + 2]
        thresholds[lower:upper] = _turn(grid[i : i + 2], calibration, costs, lower, upper)
    return thresholds


def cheapest_referral(
    scores: Floats, calibration: ScoreCalibration, costs: Floats, label: str
) -> Referral:
    """Compute the score ranges of the reject option, by costs (r, r + 1)."""
    grid = score_grid(scores, calibration)
    expected = calibration.probabilities(grid) @ costs
    # The reject option caps the cost of a class at each score.
    person = expected[:, -1:]
    thresholds = cheapest_thresholds_of_costs(grid, np.minimum(expected[:, :-1], person))[
        0
    ]
    codes = np.searchsorted(thresholds, grid)
    is_referred = np.take_along_axis(expected, codes[:, None], axis=1) > person
    codes[is_referred[:, 0]] = len(costs)
    breakpoints = np.flatnonzero(np.diff(codes))
    at = [
        _turn(grid[i : i + 2], calibration, costs, *codes[i : i + 2]) for i in breakpoints
    ]
    return Referral(label, at, codes[[*breakpoints, -1]].tolist())


def score_grid(scores: Floats, calibration: ScoreCalibration) -> Floats:
    """Return an ascending grid of scores that separates changes of the optimal class."""
    grid = outer_scores(scores)
    if calibration.slope > 0.0:
        # Cover the range where probabilities change, not only the range of the scores.
        low, high = (
            calibration.intercepts[0] - CERTAIN,
            calibration.intercepts[-1] + CERTAIN,
        )
        grid = np.union1d(grid, np.linspace(low, high, GRID) / calibration.slope)
    return grid


def _turn(
    between: Floats, calibration: ScoreCalibration, costs: Floats, lower: int, upper: int
) -> float:
    """Find the score between two at which decisions lower and upper have equal cost."""
    differences = costs[:, lower] - costs[:, upper]

    def gain(score: float) -> float:
        return float((calibration.probabilities(np.array([score])) @ differences)[0])

    low, high = between.tolist()
    if gain(low) < 0.0 < gain(high):
        return float(brentq(gain, low, high, xtol=1e-300))
    return (low + high) / 2.0  # equal costs throughout, or nowhere
