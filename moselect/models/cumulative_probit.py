"""The likelihood of a score between ascending cut points under normal noise, with gradients.

The probability of class k between cut points l < u is Phi(u - f) - Phi(l - f). It is taken in the
tail where both terms are small, and in logarithms, so that it needs no floor however far the score
f lies from its class.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from moselect._types import Floats

NARROWEST = 1e-12  # least gap of logarithms: a step may have rounded cut points to equal ones
LOG_ROOT = math.log(2.0 * math.pi) / 2.0


def negative_log_likelihood(
    scores: Floats,
    cuts: Floats,
    codes: NDArray[np.int64],
    weights: Floats,
    d_scores: Floats,
    d_cuts: Floats,
) -> float:
    """Weighted negative log-likelihood of the ordered probit model; fills its gradients.

    As in `moselect._kernels.cumulative_logit`: ``scores`` (n,), ``cuts`` (r - 1,) ascending,
    ``codes`` (n,) classes 0 .. r - 1, ``weights`` (n,); gradients (n,) and (r - 1,) are written
    into ``d_scores`` and ``d_cuts``.
    """
    ends = np.concatenate([[-np.inf], cuts, [np.inf]])
    low, high = ends[codes] - scores, ends[codes + 1] - scores
    flipped = low + high > 0.0
    near = log_ndtr(np.where(flipped, -low, high))  # Phi of the end with the greater tail
    far = log_ndtr(np.where(flipped, -high, low))
    log_probability = near + np.log(-np.expm1(np.minimum(far - near, -NARROWEST)))
    by_low = weights * np.exp(-(low**2) / 2.0 - LOG_ROOT - log_probability)
    by_high = weights * np.exp(-(high**2) / 2.0 - LOG_ROOT - log_probability)
    d_scores[:] = by_high - by_low
    r = len(cuts) + 1
    d_cuts[:] = np.bincount(codes, by_low, r)[1:] - np.bincount(codes, by_high, r)[:-1]
    return -float(weights @ log_probability)
