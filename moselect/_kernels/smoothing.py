"""Residuals of predicted probabilities, smoothed along the score."""

from __future__ import annotations

import math

from moselect._kernels.compilation import kernel

REACH = 6.0  # bandwidths beyond which the window weighs less than 2e-8


@kernel
def smooth_residuals(positions, class_weights, predicted, bandwidth, prior_count, corrections):
    """Fill ``corrections`` (m, r) with observed less predicted class shares around each score.

    ``positions`` (m,) are ascending scores, ``class_weights`` (m, r) the samples of each class
    there, ``predicted`` (m, r) their predicted probabilities. Residuals are averaged under a
    Gaussian window; ``prior_count`` samples with residual 0 shrink the average.
    """
    m, r = class_weights.shape
    corrections[:] = 0.0
    first = 0
    for i in range(m):
        while positions[first] < positions[i] - REACH * bandwidth:
            first += 1
        total = prior_count
        j = first
        while j < m and positions[j] <= positions[i] + REACH * bandwidth:
            distance = (positions[j] - positions[i]) / bandwidth
            window = math.exp(-0.5 * distance * distance)
            here = 0.0
            for k in range(r):
                here += class_weights[j, k]
            for k in range(r):
                corrections[i, k] += window * (class_weights[j, k] - here * predicted[j, k])
            total += window * here
            j += 1
        for k in range(r):
            corrections[i, k] /= total
