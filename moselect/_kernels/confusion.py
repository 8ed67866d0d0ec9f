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
