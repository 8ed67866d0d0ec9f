"""A lower bound of the cost that any thresholds have, from counts of samples in ordered bins."""

from __future__ import annotations

import numpy as np

from moselect._kernels.compilation import kernel


@kernel
def least_cost_bound(counts, tied, costs):
    """Return a total cost that no thresholds can fall below.

    Dynamic programming as in `cutpoints.best_cuts`, over bins. Samples of one bin with several
    scores that lies on thresholds, from class j below it to class k above it, may each have the
    class among j .. k that costs least for it.
    """
    m, r = counts.shape
    best = np.zeros(r)
    new = np.empty(r)
    cheapest = np.empty(r)
    for b in range(m):
        row = counts[b]
        new[:] = np.inf
        for j in range(r):
            for true in range(r):
                cheapest[true] = costs[true, j]
            for k in range(j, r):
                total = best[j]
                for true in range(r):
                    cheapest[true] = min(cheapest[true], costs[true, k])
                    total += row[true] * cheapest[true]
                new[k] = min(new[k], total)
                if tied[b]:
                    break
        for k in range(r):
            best[k] = new[k] if k == 0 else min(new[k], best[k - 1])
    return best[r - 1]
