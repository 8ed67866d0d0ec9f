"""Class probabilities along a score under proportional odds, and thresholds of least cost."""

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from msgspec import Meta, Struct
from numpy.typing import ArrayLike

from moselect._types import Floats, Integers
from moselect.costs.decisions import Referral, cheapest_thresholds_of_costs

Numbers = Annotated[list[float], Meta(min_length=1)]

GRID = 4_001  # grid points that bracket the changes of the optimal class
CERTAIN = (
    30.0  # logits beyond the outermost intercepts, where one class is practically certain
)
MARGIN = 3.0  # standard deviations beyond all training scores


class ScoreCalibration(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Proportional odds of the score: P(y <= k) = 1 / (1 + exp(slope * score - intercepts[k]))."""

    slope: float
    intercepts: Numbers

    def probabilities(self, scores: Floats) -> Floats:
        """Compute the class probabilities (n, r) at scores (n,)."""
        return class_probabilities(self.slope * scores, np.array(self.intercepts))


def class_probabilities(scores: Floats, thresholds: Floats) -> Floats:
    """Compute class probabilities of proportional odds: P(y <= k) = expit(b_k - score).

    Each is computed as a difference in the lower or in the upper tail, where both terms are
    small, so that small probabilities are accurate and do not underflow to 0.

    Parameters
    ----------
    scores : ndarray of shape (n,)
        Scores.
    thresholds : ndarray of shape (r - 1,), or (n, r - 1)
        Cut points b_k, ascending, on the scale of the scores; or a row for each score.

    Returns
    -------
    ndarray of shape (n, r)

    Examples
    --------
    >>> class_probabilities(np.array([0.0]), np.array([-1.0, 1.0])).round(3)
    array([[0.269, 0.462, 0.269]])
    """
    from scipy.special import expit  # slow

    z = thresholds - scores[:, None]
    # Differences of P(y <= k) or of P(y > k), whichever is small: no digits cancel.
    proba = class_shares(expit(-z))
    at_most = expit(z)
    lower = np.diff(at_most, axis=1, prepend=0.0)
    np.copyto(proba[:, :-1], lower, where=at_most < 0.5)
    return proba


def descending(above: Floats) -> Floats:
    """Project P(y > k), (n, r - 1), onto descending ones by isotonic regression.

    Cumulative probabilities out of order are replaced by their mean (PAVA); the sum
    of a row, and with it the expected class, is unchanged.
    """
    from scipy.optimize import isotonic_regression  # slow

    projected = above.copy()
    for i in np.flatnonzero((np.diff(above, axis=1) > 0.0).any(axis=1)):
        projected[i] = isotonic_regression(above[i], increasing=False).x
    return projected


def class_shares(above: Floats) -> Floats:
    """Compute class probabilities (n, r) from descending P(y > k) of shape (n, r - 1)."""
    return 0.0 - np.diff(above, axis=1, prepend=1.0, append=0.0)


def posterior_of(likelihoods: Floats, shares: ArrayLike) -> Floats:
    """Compute class probabilities (n, r) under the given class shares (r,).

    ``likelihoods`` are known up to a factor per row: probabilities under other shares, with
    ratios of the shares, are such.
    """
    joint = likelihoods * np.asarray(shares)
    return joint / joint.sum(axis=1, keepdims=True)


def probabilities_above(proba: Floats) -> Floats:
    """Sum class probabilities (n, r) from the highest class down: P(y > k), (n, r - 1)."""
    return np.cumsum(proba[:, :0:-1], axis=1)[:, ::-1]


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
    for lower, upper, score in _breakpoints(grid, codes, calibration, costs):
        thresholds[lower:upper] = score
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
    breakpoints = [*_breakpoints(grid, codes, calibration, costs)]
    ascending = [int(codes[0]), *(upper for _, upper, _ in breakpoints)]
    return Referral(label, [score for *_, score in breakpoints], ascending)


def score_grid(scores: Floats, calibration: ScoreCalibration) -> Floats:
    """Return an ascending grid of scores that separates changes of the optimal class."""
    grid = outer_scores(scores)
    if calibration.slope > 0.0:
        # Cover the range where probabilities change, not only the range of the scores.
        low = calibration.intercepts[0] - CERTAIN
        high = calibration.intercepts[-1] + CERTAIN
        grid = np.union1d(grid, np.linspace(low, high, GRID) / calibration.slope)
    return grid


def _breakpoints(
    grid: Floats, codes: Integers, calibration: ScoreCalibration, costs: Floats
) -> Iterator[tuple[int, int, float]]:
    """Find the scores at which decisions along a grid change from one to another, at equal cost."""
    from scipy.optimize import brentq  # slow

    def gain(score: float) -> float:
        return float((calibration.probabilities(np.array([score])) @ differences)[0])

    for i in np.flatnonzero(np.diff(codes)):
        low, high = grid[i : i + 2].tolist()
        lower, upper = codes[i : i + 2].tolist()
        differences = costs[:, lower] - costs[:, upper]
        score = (low + high) / 2.0  # equal costs throughout, or nowhere
        if gain(low) < 0.0 < gain(high):
            score = float(brentq(gain, low, high, xtol=1e-300))
        yield lower, upper, score
