"""Exact thresholds: the cut points of a ranking with the least total cost, by dynamic programming.

``D[k]`` is the least cost of the samples seen so far if the last of them is predicted as class
``k``. A sample of class ``y`` adds ``cost[y, k]``; wherever two neighbouring scores differ,
a threshold may be put, and ``D[k] = min(D[k], D[k - 1])``. O(runs x classes), exact for every
cost matrix.
"""

from __future__ import annotations

import numpy as np

from moselect._kernels.compilation import kernel

LANES = 8  # cost matrices solved side by side: one AVX-512 register of 64-bit costs


@kernel
def least_costs(run_class, run_count, run_ends, n_runs, costs, best):
    """Return the least total cost under each of `LANES` cost matrices, side by side.

    ``costs`` (r, r * LANES) has the lanes of one cell of the matrix next to each other, as has
    the scratch ``best`` (r * LANES,), whose last `LANES` entries become the answers. Flat arrays,
    because only loops of this form are turned into vector instructions.
    """
    r = costs.shape[0]
    best[:] = 0
    for i in range(n_runs):
        count = run_count[i]
        added = costs[run_class[i]]
        if run_ends[i]:
            for k in range(LANES):
                best[k] += count * added[k]
            for k in range(LANES, r * LANES):
                best[k] = min(best[k] + count * added[k], best[k - LANES])
        else:
            for k in range(r * LANES):
                best[k] += count * added[k]


@kernel
def best_cuts(run_class, run_count, run_ends, n_runs, cost, cuts):
    """Find the cut positions of least total cost under one cost matrix (r, r); return that cost.

    ``cuts[k]`` becomes the number of samples predicted as class ``k`` or below. Among equally
    cheap solutions the one with the lowest cuts is taken. With a row of ``cost`` (n, r) and a
    ``run_class`` for each sample, every sample has costs of its own.
    """
    r = cost.shape[1]
    best = np.zeros(r, dtype=cost.dtype)
    moved = np.empty((n_runs, r), dtype=np.bool_)
    for i in range(n_runs):
        count, added, ends = run_count[i], cost[run_class[i]], run_ends[i]
        below = best[0] + count * added[0]
        best[0] = below
        for k in range(1, r):  # without a branch: nobody can predict the next class
            here = best[k] + count * added[k]
            cheaper = ends & (below < here)
            moved[i, k] = cheaper
            below = below if cheaper else here
            best[k] = below
    cuts[:] = 0
    position = 0
    for i in range(n_runs):
        position += run_count[i]
    k = r - 1
    for i in range(n_runs - 1, -1, -1):
        while k > 0 and moved[i, k]:
            k -= 1
            cuts[k] = position
        position -= run_count[i]
    return best[r - 1]


@kernel
def cuts_to_thresholds(sorted_scores, cuts, thresholds):
    """Set each threshold half-way between the two scores that its cut separates.

    A cut before the first or after the last sample lies one score range outside, or 1 if there is
    one score only.
    """
    n = sorted_scores.shape[0]
    low, high = sorted_scores[0], sorted_scores[n - 1]
    margin = high - low if high > low else 1.0
    for k in range(cuts.shape[0]):
        cut = cuts[k]
        if cut == 0:
            thresholds[k] = min(low - margin, np.nextafter(low, -np.inf))  # a margin may vanish
        elif cut == n:
            thresholds[k] = high + margin
        else:
            left, right = sorted_scores[cut - 1], sorted_scores[cut]
            middle = left + 0.5 * (right - left)
            thresholds[k] = middle if middle < right else left  # neighbouring floats
