"""From P(y > k), one column a cut between classes, to the probabilities of the classes."""

from __future__ import annotations

import numpy as np
from scipy.optimize import isotonic_regression

from moselect._types import Floats


def descending(above: Floats) -> Floats:
    """Compute the nearest P(y > k) that descend with k, by least squares in each row.

    Cuts that are the wrong way round share their mean (pool adjacent violators). The sum of a row
    stays, and with it the expected class.

    Parameters
    ----------
    above : ndarray of shape (n, r - 1)
        Probabilities that were estimated cut by cut.

    Returns
    -------
    ndarray of shape (n, r - 1)
    """
    projected = above.copy()
    for i in np.flatnonzero((np.diff(above, axis=1) > 0.0).any(axis=1)):
        projected[i] = isotonic_regression(above[i], increasing=False).x
    return projected


def class_shares(above: Floats) -> Floats:
    """Compute the class probabilities (n, r) of descending P(y > k) of shape (n, r - 1)."""
    ends = np.pad(above, [(0, 0), (1, 1)], constant_values=(1.0, 0.0))
    return np.asarray(ends[:, :-1] - ends[:, 1:])
