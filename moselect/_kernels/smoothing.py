"""Class frequencies along a score, smoothed with a Gaussian window."""

from __future__ import annotations

import math

from numba import njit

REACH = 6.0  # bandwidths beyond which the window weighs less than 2e-8


@njit(cache=True, nogil=True)
def smooth_frequencies(places, masses, shares, bandwidth, frequencies):
    """Fill ``frequencies`` (m, r) with the shares of the classes around each place.

    ``places`` (m,) ascend, ``masses`` (m, r) are the objects of each class there, and ``shares``
    (r,), of sum 1, count as one object more at every place.
    """
    m, r = masses.shape
    first = 0
    for i in range(m):
        while places[first] < places[i] - REACH * bandwidth:
            first += 1
        frequencies[i] = shares
        total = 1.0
        j = first
        while j < m and places[j] <= places[i] + REACH * bandwidth:
            distance = (places[j] - places[i]) / bandwidth
            window = math.exp(-0.5 * distance * distance)
            for k in range(r):
                frequencies[i, k] += window * masses[j, k]
                total += window * masses[j, k]
            j += 1
        for k in range(r):
            frequencies[i, k] /= total
