"""Exact thresholds: cut points of least total cost along a ranking, by dynamic programming.

``D[k]`` is the least cost of the samples seen so far if the last of them is predicted as
class ``k``. A sample of class ``y`` adds ``cost[y, k]``; wherever two neighbouring scores
differ, a threshold may be put, and ``D[k] = min(D[k], D[k - 1])``. O(runs x classes),
exact for every cost matrix.

A *run* is a maximal stretch of samples of one class between which no other class and no
mixed tie stands. No optimal threshold lies inside a run, so only the ends of runs are
considered.
"""

from typing import Any

import numpy as np

from moselect._kernels.compilation import inlined, kernel
from moselect._kernels.scores import has_mixed_prefix, keys_to_scores
from moselect._types import Floats, Integers


@kernel
def find_runs(keys, bits, n_classes, run_class, run_count, run_ends):
    """Split one row of sorted keys into runs; return the number of runs.

    ``run_ends[i]`` is whether a threshold may follow run ``i``: inside a tie of several
    classes it may not.
    """
    low_bits = (1 << bits) - 1
    top = n_classes - 1
    n = keys.shape[0]
    run = np.int64(-1)
    last_code = np.int64(-1)
    if not has_mixed_prefix(keys, bits):
        # A run ends where the class changes. Branch-free: the next class is unpredictable.
        for i in range(n):
            code = keys[i] & low_bits
            run += np.int64(code != last_code)
            last_code = code
            run_class[run] = top - code
            run_count[run] = i + 1  # where it ends, as yet
            run_ends[run] = True
        # Ends become lengths, from the last run down, so that each difference still finds
        # the end before it.
        for j in range(run, 0, -1):
            run_count[j] -= run_count[j - 1]
        return int(run) + 1
    start = 0
    while start < n:  # tie by tie
        # All keys of a tie share the bits above the class code.
        tied = keys[start] | low_bits
        stop = start + 1
        while stop < n and (keys[stop] | low_bits) == tied:
            stop += 1
        mixed = keys[start] != keys[stop - 1]
        if mixed:  # runs do not extend into or out of a mixed tie
            last_code = np.int64(-1)
        for i in range(start, stop):
            code = keys[i] & low_bits
            if code != last_code:
                run += 1
                run_class[run] = top - code
                run_count[run] = 0
                run_ends[run] = False
                last_code = code
            run_count[run] += 1
        run_ends[run] = True
        if mixed:
            last_code = np.int64(-1)
        start = stop
    return int(run) + 1


LANES = 8  # cost matrices solved side by side: one AVX-512 register of 64-bit costs


@inlined
def least_costs(run_class, run_count, run_ends, n_runs, costs, best):
    """Return the least total cost under each of `LANES` cost matrices, side by side.

    ``costs`` (r, r * LANES) has the lanes of one cell of the matrix next to each other,
    as has the scratch ``best`` (r * LANES,), whose last `LANES` entries become the
    answers. Flat arrays, because only loops of this form are turned into vector
    instructions.
    """
    r = costs.shape[0]
    best[:] = 0
    for i in range(n_runs):
        count = run_count[i]
        added = costs[run_class[i]]
        # A threshold may follow: D[k] = min(D[k] + cost, D[k - 1]), with classes in
        # ascending order, so that D[k - 1] includes this sample already.
        if run_ends[i]:
            for k in range(LANES):
                best[k] += count * added[k]
            for k in range(LANES, r * LANES):
                best[k] = min(best[k] + count * added[k], best[k - LANES])
        else:
            # Within a tie no threshold may stand: every class only adds its costs.
            for k in range(r * LANES):
                best[k] += count * added[k]


@inlined
def best_positions(run_class, run_count, run_weight, run_ends, n_runs, cost, positions):
    """Find the cut positions of least total cost under one cost matrix (r, r); return that cost.

    ``run_weight`` is the total weight of the samples of each run. Costs are floats: sums
    of whole ones are exact up to 2**53. ``positions[k]`` becomes the number of samples
    predicted as class ``k`` or below. Among equally cheap solutions the one with the
    lowest positions is taken. With a row of ``cost`` (n, r) and a ``run_class`` for each
    sample, every sample has costs of its own.
    """
    r = cost.shape[1]
    best = np.zeros(r)
    moved = np.empty(n_runs * r, dtype=np.bool_)  # in rows of r
    for i in range(n_runs):
        count = run_weight[i]
        added = cost[run_class[i]]
        ends = run_ends[i]
        below = best[0] + count * added[0]
        best[0] = below
        # below carries D[k - 1] along, moved whether the minimum came from there.
        for k in range(1, r):  # branch-free: the next class is unpredictable
            here = best[k] + count * added[k]
            cheaper = ends & (below < here)
            moved[i * r + k] = cheaper
            below = below if cheaper else here
            best[k] = below
    # Back from the last run: the class falls wherever the minimum had moved, and the
    # number of samples up to there is a position.
    positions[:] = 0
    position = 0
    for i in range(n_runs):
        position += run_count[i]
    k = r - 1
    for i in range(n_runs - 1, -1, -1):
        while k > 0 and moved[i * r + k]:
            k -= 1
            positions[k] = position
        position -= run_count[i]
    return best[r - 1]


def positions_to_thresholds(
    ranking: Any, positions: Integers, bits: int | None = None
) -> Floats:
    """Put thresholds (..., k) half-way between the two scores that each separates.

    The ranking (..., n) is of ascending scores, or, with ``bits``, of keys. A cut (...,
    k) before the first or after the last sample lies one score range outside, or 1 if
    there is one score only.
    """
    n = ranking.shape[-1]
    # Scores on either side of each position; outside the range a position has one
    # neighbour only.
    places = np.concatenate(
        [np.maximum(positions - 1, 0), np.minimum(positions, n - 1)], axis=-1
    )
    neighbours = np.take_along_axis(ranking, places, axis=-1)
    ends = ranking[..., [0, -1]]
    if bits is not None:
        neighbours = keys_to_scores(neighbours, bits)
        ends = keys_to_scores(ends, bits)
    lower, upper = np.split(neighbours, 2, axis=-1)
    low = ends[..., :1]
    high = ends[..., 1:]
    margin = np.where(high > low, high - low, 1.0)
    # Half of the difference rather than of the sum, which may overflow.
    middle = lower + 0.5 * (upper - lower)
    # The mean of neighbouring floats rounds to one of them. A class begins strictly above
    # its threshold, so the lower one separates them still.
    inner = np.where(middle < upper, middle, lower)  # neighbouring floats
    below = np.minimum(low - margin, np.nextafter(low, -np.inf))  # a margin may vanish
    return np.where(positions == 0, below, np.where(positions == n, high + margin, inner))


@kernel
def count_predictions(scores, thresholds, codes, weights, counts):
    """Add samples to ``counts`` (P, r, r) by class (row) and by predicted class (column).

    With ``weights`` (n,), which may be None, a sample counts as much as it weighs. The
    predicted class of a sample is the number of ``thresholds`` (P, r - 1) that lie
    strictly below its score (P, n).
    """
    n_boundaries = thresholds.shape[1]
    n_particles, n = scores.shape
    for particle in range(n_particles):
        for i in range(n):
            score = scores[particle, i]
            predicted = 0
            for cut in range(n_boundaries):
                predicted += score > thresholds[particle, cut]
            counts[particle, codes[i], predicted] += (
                1.0 if weights is None else weights[i]
            )
