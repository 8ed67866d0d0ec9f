"""Ranking measures with a smooth indicator, and the gradients of all objectives."""

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
        share = inverse[k - 1]
        _pass_on(order, codes, weights, k - 1, k, share, decay, scale, lower, d_lower)
    for k in range(r - 2, -1, -1):
        share = inverse[k + 1]
        _pass_on(order, codes, weights, k + 1, k, share, decay, scale, upper, d_upper)
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
    order, codes, weights, source, target, inverse, decay, scale, chains, slopes
):
    """Fill the chains of a target class from the chains of the class below or above."""
    n = order.shape[0]
    sign = float(target - source)
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


@kernel
def score_gradients(
    keys,
    positions,
    weights,
    order,
    bits,
    thresholds,
    vus_weights,
    gains,
    passing,
    half_widths,
    gradients,
):
    """Fill ``gradients`` (P, n) with the weighted gain of raising a sample's score by one unit.

    Of each row of sorted ``keys`` (P, n), ``positions`` (P, n) are the scores and
    ``order`` (P, n) the samples, ``thresholds`` (P, r - 1) the thresholds of its model,
    and ``half_widths`` (P,) the smoothing windows. ``weights`` (n,) are sample weights, or
    None; ``vus_weights`` (P,) the gain of a sequence of one sample of each class,
    ``gains`` (P, r, r) the gain if a sample of a class (row) passes one of another
    (column), and ``passing`` (P, any, r, r - 1) the gain if one of each class passes each
    threshold. O(n r) a row. Samples of equal keys get equal gradients, so
    their order does not matter.
    """
    n = keys.shape[1]
    r = gains.shape[1]
    low_bits = (1 << bits) - 1
    top = r - 1
    label = np.empty(n, dtype=np.int64)
    w = np.empty(n)
    # chains that run through all lower (higher) classes and end (begin) at a sample of weight 1
    up_to = np.empty(n)
    onward = np.empty(n)
    # sums by class over the samples within the window, padded by one class at either end
    count = np.empty(r + 2)
    window_up_to = np.empty(r + 2)
    window_onward = np.empty(r + 2)
    chains = np.empty(r + 1)
    for row in range(keys.shape[0]):
        position = positions[row]
        half_width = half_widths[row]
        chains[:] = 0.0
        chains[0] = 1.0
        # Upwards: chains of all lower classes that end below each sample.
        for i in range(n):
            k = top - (keys[row, i] & low_bits)
            label[i] = k
            w[i] = 1.0 if weights is None else weights[order[row, i]]
            up_to[i] = chains[k]
            chains[k + 1] += w[i] * up_to[i]
        # Downwards: chains of all higher classes that begin above it.
        chains[:] = 0.0
        chains[r] = 1.0
        for i in range(n - 1, -1, -1):
            k = label[i]
            onward[i] = chains[k + 1]
            chains[k] += w[i] * onward[i]
        count[:] = 0.0
        window_up_to[:] = 0.0
        window_onward[:] = 0.0
        first = 0
        last = 0
        # Two pointers: scores are sorted, so the window moves forward from one sample to
        # the next.
        for i in range(n):
            while last < n and position[last] <= position[i] + half_width:
                k = label[last] + 1
                count[k] += w[last]
                window_up_to[k] += w[last] * up_to[last]
                window_onward[k] += w[last] * onward[last]
                last += 1
            while position[first] < position[i] - half_width:
                k = label[first] + 1
                count[k] -= w[first]
                window_up_to[k] -= w[first] * up_to[first]
                window_onward[k] -= w[first] * onward[first]
                first += 1
            k = label[i]
            # Raising a score gains the chains whose next lower sample it passes, and
            # loses those whose next higher sample it passes.
            gain = vus_weights[row] * (
                window_up_to[k] * onward[i] - window_onward[k + 2] * up_to[i]
            )
            for other in range(r):
                gain += gains[row, k, other] * count[other + 1]
            for cut in range(r - 1):
                if abs(position[i] - thresholds[row, cut]) <= half_width:
                    for objective in range(passing.shape[1]):
                        gain += passing[row, objective, k, cut]
            # A box of half-width h has the density 1 / (2 h).
            gradients[row, order[row, i]] = gain * w[i] / (2.0 * half_width)
