"""Cost matrices whose decisions follow the order of class probabilities."""

from __future__ import annotations

import numpy as np
from scipy.optimize import isotonic_regression

from moselect._types import Floats


def costs_in_order(costs: Floats) -> Floats:
    """Return costs near the given ones whose decisions rise with the class probabilities.

    The class of least expected cost rises, or stays, whenever all P(y > k) rise if what
    each class saves beside the one below, ``C[y, k] - C[y, k + 1]``, ascends with the true
    class y: its mean then rises (stochastic dominance), and the least cost moves up
    (Topkis 1978, Minimizing a submodular function on a lattice, Operations Research 26,
    305-321). Where the savings do not ascend they are replaced by the nearest that do,
    by isotonic regression, with weights as class probabilities have them at the boundary
    between the two decisions: they fall by a constant factor from class to class.

    Parameters
    ----------
    costs : ndarray of shape (r, r), or (r, r + 1) with a referral
        Rows true classes, columns decisions. The referral column stays.

    Examples
    --------
    >>> zero_one = 1.0 - np.eye(3)
    >>> -np.diff(costs_in_order(zero_one)).round(2)
    array([[-1.  , -0.77],
           [ 0.77, -0.77],
           [ 0.77,  1.  ]])
    >>> absolute = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
    >>> bool((costs_in_order(absolute) == absolute).all())
    True
    """
    r = len(costs)
    savings = -np.diff(costs[:, :r], axis=1)
    # Absolute and squared costs are in order already, and stay as they are to the last
    # bit.
    if (np.diff(savings, axis=0) >= 0.0).all():
        return costs
    # of class probabilities near a boundary, from one class to the next
    decay = 0.3
    weights = decay ** np.abs(np.arange(r)[:, None] - np.arange(r - 1) - 0.5)
    # One isotonic regression for each pair of neighbouring decisions, over the true
    # classes.
    ascending = [
        isotonic_regression(saved, weights=weight).x
        for saved, weight in zip(savings.T, weights.T, strict=True)
    ]
    # Costs follow from savings up to a constant in each row: cumulative sums undo the
    # differences.
    relative = np.zeros((r, r))
    relative[:, 1:] = -np.cumsum(ascending, axis=0).T
    # A constant of a row changes no decision: keep the costs of the right ones.
    ordered = np.array(costs, dtype=np.float64)
    ordered[:, :r] = relative + (costs.diagonal() - relative.diagonal())[:, None]
    # Shifting a row up until no cost is negative changes no decision either.
    return ordered - np.minimum(ordered.min(axis=1), 0.0)[:, None]
