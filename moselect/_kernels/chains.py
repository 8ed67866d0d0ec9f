"""Runs of equal labels along a ranking, and what the ranking measures count on them.

A *run* is a maximal stretch of objects of one class between which no other class and no mixed
tie stands. Counts over objects become counts over runs, and no best threshold ever lies inside
a run, so the exact thresholds need only look at their ends.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def find_runs(keys, bits, n_classes, run_class, run_count, run_ends):
    """Split one row of sorted keys into runs; returns how many there are.

    ``run_ends[i]`` tells whether a threshold may follow run ``i``: inside a tie of several
    classes it may not.
    """
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


@njit(cache=True, nogil=True)
def count_chains(run_class, run_count, n_runs, below, chains, pairs):
    """Count ordered pairs of every two classes and chains through all classes.

    Fills ``pairs[l, k]`` with the pairs of a class-``l`` and a class-``k`` object in which the
    first has the strictly higher score (right for ``k < l``; the other half has no use and counts
    ties), and ``chains[k + 1]`` with the strictly increasing sequences of one object of each of
    the classes ``0 .. k`` (Waegeman et al. 2008, eq. 8; float64, because their number overflows
    integers). ``below`` (r,) is scratch; ``chains`` has r + 1 entries. Returns the last of them.
    """
    r = below.shape[0]
    below[:] = 0
    chains[:] = 0.0
    chains[0] = 1.0
    pairs[:] = 0
    for i in range(n_runs):
        label = run_class[i]
        count = run_count[i]
        row = pairs[label]
        for k in range(r):  # all r: a fixed length costs less than stopping at ``label``
            row[k] += below[k] * count
        below[label] += count
        chains[label + 1] += count * chains[label]
    return chains[r]


@njit(cache=True, nogil=True)
def ranking_measures(all_chains, pairs, class_counts, out):
    """Turn counts into VUS, U_cons, U_ovo and U_pairs (Waegeman et al. 2008, eq. 8, 16-18).

    Every class must have objects.
    """
    r = class_counts.shape[0]
    sequences = 1.0
    for k in range(r):
        sequences *= class_counts[k]
    out[0] = all_chains / sequences
    u_cons = 0.0
    for cut in range(1, r):
        right, lower, upper = np.int64(0), np.int64(0), np.int64(0)
        for k in range(cut):
            lower += class_counts[k]
            for label in range(cut, r):
                right += pairs[label, k]
        for label in range(cut, r):
            upper += class_counts[label]
        u_cons += right / (float(lower) * float(upper))
    out[1] = u_cons / (r - 1)
    u_ovo = 0.0
    right_pairs, all_pairs = np.int64(0), np.int64(0)
    for k in range(r):
        for label in range(k + 1, r):
            possible = class_counts[k] * class_counts[label]
            u_ovo += pairs[label, k] / possible
            right_pairs += pairs[label, k]
            all_pairs += possible
    out[2] = 2.0 * u_ovo / (r * (r - 1))
    out[3] = right_pairs / all_pairs
