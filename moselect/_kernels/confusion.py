"""Confusion matrices of many models at once."""

from __future__ import annotations

from moselect._kernels.compilation import kernel


@kernel
def count_predictions(scores, thresholds, codes, counts):
    """Fill ``counts`` (P, r, r): samples by class (row) and by predicted class (column).

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
            counts[particle, codes[i], predicted] += 1


@kernel
def count_between_cuts(run_class, run_count, n_runs, cuts, counts):
    """Fill ``counts`` (r, r) as `count_predictions`, from the runs of a ranking and its cuts.

    ``cuts`` (r - 1,) are ascending ends of runs: so many samples are of that class or below.
    """
    counts[:] = 0
    predicted = 0
    position = 0
    for i in range(n_runs):
        while predicted < cuts.shape[0] and cuts[predicted] <= position:
            predicted += 1
        counts[run_class[i], predicted] += run_count[i]
        position += run_count[i]
