"""Losses of a score and ascending cut points with their gradients, and smoothed residuals."""

import math

import numpy as np

from moselect._kernels.compilation import kernel

NARROWEST = 1e-12  # smallest gap of cut points, which rounding may have made 0


@kernel
def _log_and_rest(z):
    """Logarithm of s(z), and s(-z)."""
    if z > 0.0:
        # exp of a negative number cannot overflow, whichever the sign of z.
        e = math.exp(-z)
        return -math.log1p(e), e / (1.0 + e)
    e = math.exp(z)
    return z - math.log1p(e), 1.0 / (1.0 + e)


@kernel
def negative_log_likelihood(scores, intercepts, codes, weights, d_scores, d_intercepts):
    """Return the weighted negative log-likelihood of proportional odds; fill its gradients.

    ``scores`` (n,), ``intercepts`` (r - 1,) ascending, ``codes`` (n,) classes 0 .. r - 1,
    ``weights`` (n,). Gradients (n,) and (r - 1,) are written into ``d_scores`` and
    ``d_intercepts``.
    """
    r = intercepts.shape[0] + 1
    class_weights = np.zeros(r)
    d_intercepts[:] = 0.0
    value = 0.0
    for i in range(scores.shape[0]):
        k = codes[i]
        w = weights[i]
        f = scores[i]
        slope = d_scores[i] = 0.0
        if w == 0.0:
            # A sample of weight 0 may have an infinite loss, and 0 times infinity is no
            # number.
            continue
        class_weights[k] += w
        if k < r - 1:
            # -log P(y = k) = -log s(u - f) - log s(f - l) - log(1 - exp(l - u)): the
            # first two terms depend on the score, the last on the cut points only.
            log, rest = _log_and_rest(intercepts[k] - f)
            value -= w * log
            slope += w * rest
            d_intercepts[k] -= w * rest
        if k > 0:
            log, rest = _log_and_rest(f - intercepts[k - 1])
            value -= w * log
            slope -= w * rest
            d_intercepts[k - 1] += w * rest
        d_scores[i] = slope
    for k in range(1, r - 1):
        # The last term is the same for all samples of a class: it is added once for each
        # class.
        if class_weights[k] > 0.0:
            gap = max(intercepts[k] - intercepts[k - 1], NARROWEST)
            value -= class_weights[k] * math.log(-math.expm1(-gap))
            # The gap's derivative, 1 / (exp(gap) - 1), is 0 in floating point from 700
            # on, where exp overflows.
            pull = class_weights[k] / math.expm1(gap) if gap < 700.0 else 0.0
            d_intercepts[k] -= pull
            d_intercepts[k - 1] += pull
    return value


@kernel
def add_smoothed_costs(scores, intercepts, codes, weights, steps, d_scores, d_intercepts):
    """Return the total cost, above class 0's, of samples that pass cut points by s(f - b).

    ``steps`` (r, r - 1) holds the change of cost of a sample of each class (rows) when it
    passes each cut point (columns). The gradient by scores is added to ``d_scores``, the
    gradient by cut points fills ``d_intercepts``.
    """
    d_intercepts[:] = 0.0
    value = 0.0
    for i in range(scores.shape[0]):
        w = weights[i]
        f = scores[i]
        step = steps[codes[i]]
        for k in range(intercepts.shape[0]):
            # The exponent is bounded because exp overflows beyond 709.
            passed = 1.0 / (1.0 + math.exp(min(intercepts[k] - f, 700.0)))
            value += w * step[k] * passed
            slope = w * step[k] * passed * (1.0 - passed)
            d_scores[i] += slope
            d_intercepts[k] -= slope
    return value


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
