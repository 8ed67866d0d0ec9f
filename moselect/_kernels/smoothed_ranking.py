"""Ranking measures with a smooth indicator, and their gradient.

The indicator of f_i < f_j becomes the Laplace distribution function F((f_j - f_i) /
scale). Its tails are exponential, so that sums over all pairs of samples, and over all
chains of one sample a class, take O(n r) after the sort.
"""

from __future__ import annotations

import math

import numpy as np

from moselect._kernels.compilation import kernel


@kernel
def smoothed_ranking(
    scores, order, codes, weights, pair_gains, vus_gain, scale, gradient
):
    """Return the total gain of smoothly ordered pairs and chains; add its gradient.

    The gradient is added to ``gradient`` (n,). ``order`` (n,) sorts ``scores`` (n,).
    ``pair_gains[l, k]``, k < l, is the gain of a pair in which class l scores higher,
    ``vus_gain`` the gain of VUS = 1; a pair or chain weighs the product of its samples'
    ``weights`` (n,). Without samples in a class VUS counts nothing.
    """
    n = scores.shape[0]
    r = pair_gains.shape[0]
    # F is exponential on either side, so the discount of a distance is the product of the
    # discounts of the gaps between.
    decay = np.empty(n)  # from each sample in order to the one after it
    for i in range(n - 1):
        decay[i] = math.exp((scores[order[i]] - scores[order[i + 1]]) / scale)
    decay[n - 1] = 0.0
    value = _smoothed_pairs(order, codes, weights, pair_gains, decay, scale, gradient)
    if vus_gain > 0.0:
        inverse = np.zeros(r)
        # Chains as shares of all: each class divides by its weight, and a class without
        # any makes VUS undefined.
        for i in range(n):
            inverse[codes[i]] += weights[i]
        for k in range(r):
            if inverse[k] == 0.0:
                return value
            inverse[k] = 1.0 / inverse[k]
        value += _smoothed_chains(
            order, codes, weights, inverse, vus_gain, decay, scale, gradient
        )
    return value


@kernel
def _smoothed_pairs(order, codes, weights, pair_gains, decay, scale, gradient):
    n = order.shape[0]
    r = pair_gains.shape[0]
    value = 0.0
    # Upwards, F(d) = 1 - exp(-d / scale) / 2 for the samples below: right pairs less half of
    # the discounted ones. Downwards, F(d) = exp(-d / scale) / 2 for the samples above that
    # should be below.
    for sign in (1.0, -1.0):
        discounted = np.zeros(r)  # samples passed, discounted by their distance
        passed = np.zeros(r)  # samples below
        for step in range(n):
            upwards = sign > 0.0
            i = step if upwards else n - 1 - step
            # The gap to the sample before; the first one has passed none.
            gap = decay[i - 1] if upwards else decay[i]
            for k in range(r):
                discounted[k] *= gap
            code = codes[order[i]]
            w = weights[order[i]]
            slope = 0.0
            for k in range(code):
                pairs = passed[k] - sign * 0.5 * discounted[k]
                value += w * pair_gains[code, k] * pairs
                slope += pair_gains[code, k] * discounted[k]
            for k in range(code + 1, r):
                slope -= pair_gains[k, code] * discounted[k]
            # The density of the Laplace distribution is exp(-|d| / scale) / (2 scale).
            gradient[order[i]] += w * slope / (2.0 * scale)
            discounted[code] += w
            if upwards:
                passed[code] += w
    return value


@kernel
def _smoothed_chains(order, codes, weights, inverse, gain, decay, scale, gradient):
    n = order.shape[0]
    r = inverse.shape[0]
    # chains up to each sample, and their slope
    lower = np.ones(n)
    d_lower = np.zeros(n)
    # chains from each sample on
    upper = np.ones(n)
    d_upper = np.zeros(n)
    # Chains through classes 0 .. k, class by class; then through k .. r - 1 from above.
    for k in range(1, r):
        _pass_on(
            order,
            codes,
            weights,
            k - 1,
            k,
            inverse[k - 1],
            1.0,
            decay,
            scale,
            lower,
            d_lower,
        )
    for k in range(r - 2, -1, -1):
        _pass_on(
            order,
            codes,
            weights,
            k + 1,
            k,
            inverse[k + 1],
            -1.0,
            decay,
            scale,
            upper,
            d_upper,
        )
    value = 0.0
    for i in range(n):
        code = codes[i]
        share = gain * weights[i] * inverse[code]
        if code == r - 1:
            value += share * lower[i]
        # Product rule: chains change below the sample and above it.
        gradient[i] += share * (d_lower[i] * upper[i] + lower[i] * d_upper[i])
    return value


@kernel
def _pass_on(
    order, codes, weights, source, target, inverse, sign, decay, scale, chains, slopes
):
    """Fill the chains of a class from the chains of the class below (sign 1) or above (-1)."""
    n = order.shape[0]
    for direction in (1.0, -1.0):
        discounted = 0.0
        passed = 0.0
        for step in range(n):
            upwards = direction > 0.0
            i = step if upwards else n - 1 - step
            discounted *= decay[i - 1] if upwards else decay[i]
            sample = order[i]
            if codes[sample] == target:
                # F is 1 less half the discount for chains from the side on which they
                # should be, and half the discount for those from the other side.
                part = (
                    passed - 0.5 * discounted if direction == sign else 0.5 * discounted
                )
                chains[sample] = part if upwards else chains[sample] + part
                # Both sides add to the slope: the density is the same on either.
                slopes[sample] += discounted
            elif codes[sample] == source:
                share = weights[sample] * inverse * chains[sample]
                discounted += share
                passed += share
    for i in range(n):
        if codes[i] == target:
            slopes[i] = sign * slopes[i] / (2.0 * scale)
