"""Ranking measures with a smooth indicator that one sample scores higher than another."""

import numpy as np

from moselect._types import Floats, Integers

# of a logarithm, which keeps its exponential finite; no pair is as far apart
MAX_EXPONENT = 300.0


def smoothed_ranking(
    scores: Floats,
    codes: Integers,
    weights: Floats,
    pair_gains: Floats,
    vus_gain: float,
    scale: float,
) -> tuple[float, Floats]:
    """Compute the total gain of smoothly ordered pairs and chains, and its gradient (n,).

    A sample ranks above another by the Laplace distribution function F of the difference of
    their ``scores`` (n,) over the ``scale``. ``pair_gains[l, k]``, k < l, is the gain of a
    pair in which class l scores higher, ``vus_gain`` the gain of VUS = 1; a pair or chain
    weighs the product of its samples' ``weights`` (n,). Without samples in a class VUS counts
    nothing.
    """
    order = np.argsort(scores)
    codes = codes[order]
    weights = weights[order]
    distance = (scores[order] - scores[order[[0, -1]]].mean()) / scale
    growth = np.exp(distance.clip(-MAX_EXPONENT, MAX_EXPONENT))

    def sum_below(values: Floats) -> tuple[Floats, Floats]:
        """Sum values (k, n) of other samples times F, and times its density, (k, n).

        F is exponential on either side: the discount of a distance is a ratio of two growths.
        """
        lower = (values * growth).cumsum(axis=1) / growth
        higher = (values / growth)[:, ::-1].cumsum(axis=1)[:, ::-1] * growth
        below = values.cumsum(axis=1) - (lower - higher) / 2.0
        return below, (lower + higher) / (2.0 * scale)

    r = len(pair_gains)
    is_member = codes == np.arange(r)[:, None]
    members = is_member * weights
    right, slopes = sum_below(members)
    gains = pair_gains.T[:, codes]
    value = float(weights @ (gains * right).sum(axis=0))
    gradient = weights * ((gains - pair_gains[:, codes]) * slopes).sum(axis=0)
    masses = members.sum(axis=1, keepdims=True)
    if vus_gain > 0.0 and masses.all():
        # Chains as shares of all: each class divides by its weight.
        shares = members / masses
        # Chains up to each sample and from it on, and their slopes, class by class.
        chains = np.ones((2, len(codes)))
        slopes = np.zeros_like(chains)
        for k in range(1, r):
            passed = shares[[k - 1, r - k]] * chains
            below, density = sum_below(passed)
            below[1] = passed[1].sum() - below[1]
            density[1] *= -1.0
            here = is_member[[k, r - 1 - k]]
            chains[here] = below[here]
            slopes[here] = density[here]
        value += vus_gain * float(shares[-1] @ chains[0])
        # Product rule: chains change below the sample and above it.
        gradient += vus_gain * shares.sum(axis=0) * (slopes * chains[::-1]).sum(axis=0)
    by_sample = np.empty_like(gradient)
    by_sample[order] = gradient
    return value, by_sample
