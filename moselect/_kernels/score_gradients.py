"""Gradients of all objectives of a search by the scores, with smooth indicators."""

import numpy as np

from moselect._kernels.compilation import kernel


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
