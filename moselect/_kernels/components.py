"""Structural components: the contribution of each sample to a ranking measure."""

from __future__ import annotations

import numpy as np

from moselect._kernels.compilation import kernel


@kernel
def ranking_components(order, codes, weights, pair_gains, vus_gain, components):
    """Fill ``components`` (n,) and return VUS and the total gain of right pairs.

    ``order`` (n,) sorts the scores, and among equal ones the classes, highest first: then
    only strictly higher scores are right. ``pair_gains[l, k]``, k < l, is the gain of a
    right pair, ``vus_gain`` the gain of VUS = 1. The component of a sample is the gain of the
    pairs and chains through it, for weight 1. VUS is 0 if a class has no samples.
    """
    n = order.shape[0]
    r = pair_gains.shape[0]
    inverse = np.zeros(r)
    # Inverse class weights turn counts of chains into shares: VUS is the share of all
    # chains that ascend.
    for i in range(n):
        inverse[codes[i]] += weights[i]
    complete = True
    for k in range(r):
        complete = complete and inverse[k] > 0.0
        inverse[k] = 1.0 / inverse[k] if inverse[k] > 0.0 else 0.0
    chains = np.zeros(r + 1)
    chains[0] = 1.0
    met = np.zeros(r)
    lower = np.empty(n)
    # Upwards: the weight of samples of lower classes met so far gives the right pairs
    # below each sample, and `chains` the ascending chains that end with it.
    pairs = 0.0
    for i in range(n):
        sample = order[i]
        code = codes[sample]
        w = weights[sample]
        right = 0.0
        for k in range(code):
            right += pair_gains[code, k] * met[k]
        pairs += w * right
        components[sample] = right
        met[code] += w
        # The sample's own weight is left out: a component is the derivative by that
        # weight.
        lower[sample] = chains[code]
        chains[code + 1] += w * inverse[code] * chains[code]
    vus = chains[r] if complete else 0.0
    gain = vus_gain if complete else 0.0
    chains[:] = 0.0
    # Downwards: right pairs above each sample, and chains that go on from it. A chain
    # through a sample is any chain up to it times any chain from it.
    chains[r] = 1.0
    met[:] = 0.0
    for i in range(n - 1, -1, -1):
        sample = order[i]
        code = codes[sample]
        w = weights[sample]
        right = 0.0
        for k in range(code + 1, r):
            right += pair_gains[k, code] * met[k]
        met[code] += w
        components[sample] += (
            right + gain * inverse[code] * lower[sample] * chains[code + 1]
        )
        chains[code] += w * inverse[code] * chains[code + 1]
    return vus, pairs
