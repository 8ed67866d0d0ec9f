"""Crowding distance (Deb et al. 2002, NSGA-II, section III-B) and scalarised choice of leaders."""

from __future__ import annotations

import numpy as np

from moselect._kernels.compilation import kernel


@kernel
def add_crowding(values, order, distance):
    """Add one objective's share to ``distance`` (n,); ``order`` (n,) sorts ``values`` (n,).

    Extremes get infinity; a constant objective adds nothing.
    """
    n = values.shape[0]
    span = values[order[n - 1]] - values[order[0]]
    if span <= 0.0:
        return
    distance[order[0]] = np.inf
    distance[order[n - 1]] = np.inf
    for i in range(1, n - 1):
        distance[order[i]] += (values[order[i + 1]] - values[order[i - 1]]) / span


@kernel
def best_by_weighted_sum(points, weights, chosen):
    """Fill ``chosen`` (P,) with the column of ``points`` (m, n) with the greatest weighted sum.

    One row of ``weights`` (P, m) for each choice; the first of equal columns is taken.
    """
    m, n = points.shape
    total = np.empty(n)
    for c in range(weights.shape[0]):
        total[:] = 0.0
        for j in range(m):
            weight = weights[c, j]
            row = points[j]
            for i in range(n):
                total[i] += weight * row[i]
        best = 0
        for i in range(1, n):
            if total[i] > total[best]:
                best = i
        chosen[c] = best
