"""Ascent direction of all objectives at once, seen through a window around each score.

An objective changes when a sample passes another sample (ranking measures) or a threshold
(costs of predicted classes). Counting the passes that lie within ``half_width`` of a sample's
score, each with what it would gain, gives the gradient of the objective smoothed by a box of that
width.
"""

from __future__ import annotations

import numpy as np

from moselect._kernels.compilation import kernel
from moselect._kernels.objectives import exact_thresholds
from moselect._kernels.scores import keys_to_scores


@kernel
def pair_gains(class_weights, worths, gains):
    """Fill ``gains[k, l]``: the weighted gain if a sample of class ``k`` passes one of class ``l``.

    ``worths`` (4,) are those of VUS, U_cons, U_ovo and U_pairs; the last three are sums over
    pairs (Waegeman et al. 2008, eq. 16-18), so one antisymmetric matrix holds all three.
    """
    r = class_weights.shape[0]
    n = 0.0
    all_pairs = 0.0
    for k in range(r):
        all_pairs += n * class_weights[k]
        n += class_weights[k]
    gains[:] = 0.0
    for k in range(r):
        for label in range(k):
            possible = float(class_weights[k]) * class_weights[label]
            gain = worths[2] * 2.0 / (r * (r - 1) * possible) + worths[3] / all_pairs
            lower = 0.0
            for cut in range(k):
                lower += class_weights[cut]
                if cut >= label:
                    gain += worths[1] / ((r - 1) * lower * (n - lower))
            gains[k, label] = gain
            gains[label, k] = -gain


@kernel
def score_gradient(
    keys, weights, order, bits, class_weights, thresholds, worths, passing, half_width, gradient
):
    """Fill ``gradient`` (n,): the weighted gain of raising each sample's score by one unit.

    ``order`` (n,) holds the index of the sample of each of the sorted ``keys`` (n,), ``weights``
    (n,) what each sample weighs, or None, ``worths`` (4,) the weights of the ranking measures, and
    ``passing`` (any, r, r - 1) what is gained if a sample of each class passes each threshold.
    O(n r). Samples of one key get the same, so their order has no meaning.
    """
    n = keys.shape[0]
    r = class_weights.shape[0]
    low_bits = (np.int64(1) << np.int64(bits)) - np.int64(1)
    top = r - 1
    gains = np.empty((r, r))
    pair_gains(class_weights, worths, gains)
    sequences = 1.0
    for k in range(r):
        sequences *= class_weights[k]
    vus_weight = worths[0] / sequences
    position = np.empty(n)
    keys_to_scores(keys, bits, position)

    # chains that run through all lower (higher) classes and end (begin) at a sample of weight 1
    up_to = np.empty(n)
    onward = np.empty(n)
    chains = np.zeros(r + 1)
    chains[0] = 1.0
    for i in range(n):
        k = top - (keys[i] & low_bits)
        up_to[i] = chains[k]
        chains[k + 1] += up_to[i] if weights is None else weights[order[i]] * up_to[i]
    chains[:] = 0.0
    chains[r] = 1.0
    for i in range(n - 1, -1, -1):
        k = top - (keys[i] & low_bits)
        onward[i] = chains[k + 1]
        chains[k] += onward[i] if weights is None else weights[order[i]] * onward[i]

    # sums by class over the samples within the window, padded by one class at either end
    count = np.zeros(r)
    window_up_to = np.zeros(r + 2)
    window_onward = np.zeros(r + 2)
    first = 0
    last = 0
    for i in range(n):
        while last < n and position[last] <= position[i] + half_width:
            k = top - (keys[last] & low_bits)
            weight = 1.0 if weights is None else weights[order[last]]
            count[k] += weight
            window_up_to[k + 1] += weight * up_to[last]
            window_onward[k + 1] += weight * onward[last]
            last += 1
        while position[first] < position[i] - half_width:
            k = top - (keys[first] & low_bits)
            weight = 1.0 if weights is None else weights[order[first]]
            count[k] -= weight
            window_up_to[k + 1] -= weight * up_to[first]
            window_onward[k + 1] -= weight * onward[first]
            first += 1
        k = top - (keys[i] & low_bits)
        gain = vus_weight * (window_up_to[k] * onward[i] - window_onward[k + 2] * up_to[i])
        for label in range(r):
            gain += gains[k, label] * count[label]
        for cut in range(r - 1):
            if abs(position[i] - thresholds[cut]) <= half_width:
                for objective in range(passing.shape[0]):
                    gain += passing[objective, k, cut]
        if weights is not None:
            gain *= weights[order[i]]
        gradient[order[i]] = gain / (2.0 * half_width)


@kernel
def score_gradients(
    keys, weights, order, bits, class_weights, costs, worths, passing, half_widths, gradients
):
    """Fill ``gradients`` (P, n) as `score_gradient`, at the thresholds of least cost of each row.

    ``order`` (P, n) sorts the ``keys`` (P, n); ``costs`` (P, r, r), ``worths`` (P, 4),
    ``passing`` (P, any, r, r - 1) and ``half_widths`` (P,) are those of each row.
    """
    n = keys.shape[1]
    ranking = np.empty(n, dtype=np.int64)
    in_order = np.empty(n)
    thresholds = np.empty(class_weights.shape[0] - 1)
    for particle in range(keys.shape[0]):
        for i in range(n):
            ranking[i] = keys[particle, order[particle, i]]
            if weights is not None:
                in_order[i] = weights[order[particle, i]]
        if weights is None:
            exact_thresholds(ranking, None, bits, costs[particle], thresholds)
        else:
            exact_thresholds(ranking, in_order, bits, costs[particle], thresholds)
        score_gradient(
            ranking,
            weights,
            order[particle],
            bits,
            class_weights,
            thresholds,
            worths[particle],
            passing[particle],
            half_widths[particle],
            gradients[particle],
        )
