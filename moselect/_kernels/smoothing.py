"""Residuals of predicted probabilities, smoothed along the score."""

from __future__ import annotations

import math

import numpy as np

from moselect._kernels.compilation import kernel

N_BANDWIDTHS = 6.0  # bandwidths beyond which the window weighs less than 2e-8


@kernel
def smooth_residuals(
    positions, class_weights, predicted, bandwidth, prior_count, corrections
):
    """Fill ``corrections`` (m, r) with observed less predicted class shares around each score.

    ``positions`` (m,) are ascending scores, ``class_weights`` (m, r) the samples of each
    class there, ``predicted`` (m, r) their predicted probabilities. Residuals are
    averaged under a Gaussian window; ``prior_count`` samples with residual 0 shrink the
    average.
    """
    m, r = class_weights.shape
    totals = np.zeros(m)
    residuals = np.empty((m, r))
    # Observed less expected weight of each class at each score.
    for j in range(m):
        for k in range(r):
            totals[j] += class_weights[j, k]
        for k in range(r):
            residuals[j, k] = class_weights[j, k] - totals[j] * predicted[j, k]
    corrections[:] = 0.0
    nearby = np.full(m, prior_count)
    for i in range(m):
        j = i
        # Windows are symmetric, so each pair of scores is visited once and added on both
        # sides.
        while j < m and positions[j] <= positions[i] + N_BANDWIDTHS * bandwidth:
            distance = (positions[j] - positions[i]) / bandwidth
            window = math.exp(-0.5 * distance * distance)
            for k in range(r):
                corrections[i, k] += window * residuals[j, k]
            nearby[i] += window * totals[j]
            if j > i:  # the window is the same from either side
                for k in range(r):
                    corrections[j, k] += window * residuals[i, k]
                nearby[j] += window * totals[i]
            j += 1
    # A shrunk Nadaraya-Watson average: prior_count samples with residual 0 are in every
    # window.
    for i in range(m):
        for k in range(r):
            corrections[i, k] /= nearby[i]
