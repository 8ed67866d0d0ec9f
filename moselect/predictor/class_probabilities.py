"""Probabilities of the classes, from scores or from P(y > k)."""

import numpy as np
from scipy.optimize import isotonic_regression
from scipy.special import expit

from moselect._types import Floats


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
    z = thresholds - scores[:, None]
    at_most = _between(expit(z), 0.0, 1.0)
    # Differences of P(y <= k) or of P(y > k), whichever is small: no digits cancel.
    above = _between(expit(-z), 1.0, 0.0)
    lower = np.diff(at_most, axis=1)
    upper = above[:, :-1] - above[:, 1:]
    return np.where(at_most[:, 1:] < 0.5, lower, upper)


def descending(above: Floats) -> Floats:
    """Project P(y > k), (n, r - 1), onto descending ones by isotonic regression.

    Cumulative probabilities out of order are replaced by their mean (PAVA); the sum
    of a row, and with it the expected class, is unchanged.
    """
    projected = above.copy()
    for i in np.flatnonzero((np.diff(above, axis=1) > 0.0).any(axis=1)):
        projected[i] = isotonic_regression(above[i], increasing=False).x
    return projected


def class_shares(above: Floats) -> Floats:
    """Compute class probabilities (n, r) from descending P(y > k) of shape (n, r - 1)."""
    ends = _between(above, 1.0, 0.0)
    return ends[:, :-1] - ends[:, 1:]


def _between(values: Floats, first: float, last: float) -> Floats:
    """Pad columns (n, m) by a constant column on either side."""
    # By hand: `np.pad` takes ten times as long on few rows, and fits call this often.
    ends = np.empty((len(values), values.shape[1] + 2))
    ends[:, 0] = first
    ends[:, 1:-1] = values
    ends[:, -1] = last
    return ends


def probabilities_above(proba: Floats) -> Floats:
    """Sum class probabilities (n, r) from the highest class down: P(y > k), (n, r - 1)."""
    return np.cumsum(proba[:, :0:-1], axis=1)[:, ::-1]
