"""What a model of class probabilities leaves unexplained, smoothed along the score."""

from __future__ import annotations

import math

from numba import njit

REACH = 6.0  # bandwidths beyond which the window weighs less than 2e-8


@njit(cache=True, nogil=True)
def smooth_residuals(places, masses, stated, bandwidth, ballast, corrections):
    """Fill ``corrections`` (m, r) with observed less stated class shares around each place.

    ``places`` (m,) ascend, ``masses`` (m, r) are the objects of each class there and ``stated``
    (m, r) the probabilities of a model. A Gaussian window looks at the objects around, and as many
    objects as ``ballast`` says stand for the model being right.
    """
    m, r = masses.shape
    corrections[:] = 0.0
    first = 0
    for i in range(m):
        while places[first] < places[i] - REACH * bandwidth:
            first += 1
        total = ballast
        j = first
        while j < m and places[j] <= places[i] + REACH * bandwidth:
            distance = (places[j] - places[i]) / bandwidth
            window = math.exp(-0.5 * distance * distance)
            here = 0.0
            for k in range(r):
                here += masses[j, k]
            for k in range(r):
                corrections[i, k] += window * (masses[j, k] - here * stated[j, k])
            total += window * here
            j += 1
        for k in range(r):
            corrections[i, k] /= total
