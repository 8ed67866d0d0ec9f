"""Exact thresholds: the cut points of a ranking with the least total cost, by dynamic programming.

``D[k]`` is the least cost of the samples seen so far if the last of them is predicted as class
``k``. A sample of class ``y`` adds ``cost[y, k]``; wherever two neighbouring scores differ,
a threshold may be put, and ``D[k] = min(D[k], D[k - 1])``. O(runs x classes), exact for every
cost matrix.

A *run* is a maximal stretch of samples of one class between which no other class and no mixed
tie stands. No best threshold ever lies inside a run, so only their ends need be looked at.
"""

from __future__ import annotations

import numpy as np

from moselect._kernels.compilation import kernel
from moselect._kernels.scores import has_mixed_prefix


@kernel
def find_runs(keys, bits, n_classes, run_class, run_count, run_ends):
    """Split one row of sorted keys into runs; return how many there are.

    ``run_ends[i]`` is whether a threshold may follow run ``i``: inside a tie of several
    classes it may not.
    """
    if has_mixed_prefix(keys, bits):
        return _find_runs_among_ties(keys, bits, n_classes, run_class, run_count, run_ends)
    # A run ends where the class changes. No branch: nobody can predict the next class.
    low_bits = (np.int64(1) << np.int64(bits)) - np.int64(1)
    top = n_classes - 1
    run = np.int64(-1)
    last_code = np.int64(-1)
    for i in range(keys.shape[0]):
        code = keys[i] & low_bits
        run += np.int64(code != last_code)
        last_code = code
        run_class[run] = top - code
        run_count[run] = i + 1  # where it ends, as yet
    for j in range(run, 0, -1):
        run_count[j] -= run_count[j - 1]
    run_ends[: run + 1] = True
    return int(run) + 1


@kernel
def _find_runs_among_ties(keys, bits, n_classes, run_class, run_count, run_ends):
    low_bits = (np.int64(1) << np.int64(bits)) - np.int64(1)
    top = n_classes - 1
    n = keys.shape[0]
    n_runs = 0
    open_class = -1  # class of the last run if equal labels may still join it
    i = 0
    while i < n:
        key = keys[i]
        last = i + 1
        while last < n and keys[last] == key:
            last += 1
        mixed = last < n and (keys[last] | low_bits) == (key | low_bits)
        label = top - (key & low_bits)
        if not mixed:
            if label == open_class:
                run_count[n_runs - 1] += last - i
            else:
                run_class[n_runs] = label
                run_count[n_runs] = last - i
                run_ends[n_runs] = True
                n_runs += 1
                open_class = label
            i = last
            continue
        tied = key | low_bits
        while i < n and (keys[i] | low_bits) == tied:
            key = keys[i]
            last = i + 1
            while last < n and keys[last] == key:
                last += 1
            run_class[n_runs] = top - (key & low_bits)
            run_count[n_runs] = last - i
            run_ends[n_runs] = False
            n_runs += 1
            i = last
        run_ends[n_runs - 1] = True
        open_class = -1
    return n_runs


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
def weigh_runs(weights, run_count, n_runs):
    """Return the weight of each run, from those of the samples in their order."""
    run_weight = np.zeros(n_runs)
    position = 0
    for i in range(n_runs):
        for _ in range(run_count[i]):
            run_weight[i] += weights[position]
            position += 1
    return run_weight


@kernel
def best_cuts(run_class, run_count, run_weight, run_ends, n_runs, cost, cuts):
    """Find the cut positions of least total cost under one cost matrix (r, r); return that cost.

    ``run_weight`` is what the samples of each run weigh together, as `weigh_runs` has it.
    ``cuts[k]`` becomes the number of samples predicted as class ``k`` or below. Among equally
    cheap solutions the one with the lowest cuts is taken. With a row of ``cost`` (n, r) and a
    ``run_class`` for each sample, every sample has costs of its own.
    """
    r = cost.shape[1]
    best = np.zeros_like(run_weight[0] * cost[0])
    moved = np.empty((n_runs, r), dtype=np.bool_)
    for i in range(n_runs):
        count, added, ends = run_weight[i], cost[run_class[i]], run_ends[i]
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


@kernel
def count_predictions(scores, thresholds, codes, weights, counts):
    """Fill ``counts`` (P, r, r): samples by class (row) and by predicted class (column).

    With ``weights`` (n,), which may be None, a sample counts as much as it weighs.
    The predicted class of a sample is the number of ``thresholds`` (P, r - 1) that lie strictly
    below its score (P, n).
    """
    counts[:] = 0
    n_cuts = thresholds.shape[1]
    for particle in range(scores.shape[0]):
        for i in range(scores.shape[1]):
            score = scores[particle, i]
            predicted = 0
            for cut in range(n_cuts):
                predicted += int(score > thresholds[particle, cut])
            counts[particle, codes[i], predicted] += 1 if weights is None else weights[i]


@kernel
def count_between_cuts(run_class, run_count, run_weight, n_runs, cuts, counts):
    """Fill ``counts`` (r, r) as `count_predictions`, from the runs of a ranking and its cuts.

    ``cuts`` (r - 1,) are ascending ends of runs: so many samples are of that class or below.
    """
    counts[:] = 0
    predicted = 0
    position = 0
    for i in range(n_runs):
        while predicted < cuts.shape[0] and cuts[predicted] <= position:
            predicted += 1
        counts[run_class[i], predicted] += run_weight[i]
        position += run_count[i]
