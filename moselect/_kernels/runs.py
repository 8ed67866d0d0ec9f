"""Runs of equal labels along a ranking: where the best thresholds may lie.

A *run* is a maximal stretch of samples of one class between which no other class and no mixed
tie stands. No best threshold ever lies inside a run, so only their ends need be looked at.
"""

from __future__ import annotations

import numpy as np

from moselect._kernels.compilation import kernel
from moselect._kernels.ranked_keys import has_mixed_prefix


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
