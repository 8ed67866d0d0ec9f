"""The proportional-odds model (McCullagh 1980), fitted by maximum likelihood."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky, inv
from scipy.optimize import minimize
from scipy.special import expit, logit

Floats = NDArray[np.float64]

TINY = 1e-12  # keeps the logarithm finite where a class has no probability left
FLAT = 1e-8  # keeps collinear features from dividing by zero


def fit_proportional_odds(
    X: Floats,
    codes: NDArray[np.int64],
    n_classes: int,
    penalty: float,
    sample_weight: Floats | None = None,
) -> tuple[Floats, Floats]:
    """Fit ``P(y <= k | x) = expit(b_k - w . x)`` with a ridge penalty ``penalty / 2 |w|^2``.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Features, standardised.
    codes : ndarray of shape (n,)
        Class codes 0 .. r - 1, each class with objects.
    n_classes : int
        r.
    penalty : float
        Weight of the ridge penalty, on the scale of the summed log-likelihood.
    sample_weight : ndarray of shape (n,), optional
        Weights of the objects.

    Returns
    -------
    weights : ndarray of shape (p,)
    cut_points : ndarray of shape (r - 1,)
    """
    n, p = X.shape
    w = np.ones(n) if sample_weight is None else sample_weight
    # In coordinates in which the features are uncorrelated the optimiser needs few steps.
    spread = X.T @ X / n + (penalty / n + FLAT) * np.eye(p)
    basis = inv(cholesky(spread, lower=True)).T
    H = X @ basis
    shares = np.cumsum(np.bincount(codes, weights=w, minlength=n_classes))[:-1] / w.sum()
    start_cuts = logit(shares)
    # b_1 and the logarithms of the gaps: the cut points ascend whatever the optimiser tries
    start = np.concatenate([np.zeros(p), start_cuts[:1], np.log(np.diff(start_cuts))])
    has_upper, has_lower = codes < n_classes - 1, codes > 0

    def cut_points(parameters: Floats) -> Floats:
        return parameters[p] + np.concatenate([[0.0], np.cumsum(np.exp(parameters[p + 1 :]))])

    def loss(parameters: Floats) -> tuple[float, Floats]:
        weights, cuts = basis @ parameters[:p], cut_points(parameters)
        score = H @ parameters[:p]
        upper = np.where(has_upper, expit(cuts[np.minimum(codes, n_classes - 2)] - score), 1.0)
        lower = np.where(has_lower, expit(cuts[np.maximum(codes - 1, 0)] - score), 0.0)
        probability = np.maximum(upper - lower, TINY)
        d_upper = w * upper * (1.0 - upper) / probability
        d_lower = w * lower * (1.0 - lower) / probability
        from_below = np.bincount(codes, weights=d_upper, minlength=n_classes)[:-1]
        from_above = np.bincount(codes, weights=d_lower, minlength=n_classes)[1:]
        d_cuts = from_above - from_below
        tail = np.cumsum(d_cuts[::-1])[::-1]
        gradient = np.concatenate(
            [
                H.T @ (d_upper - d_lower) + penalty * (basis.T @ weights),
                tail[:1],
                tail[1:] * np.exp(parameters[p + 1 :]),
            ]
        )
        value = -float(w @ np.log(probability)) + penalty / 2.0 * float(weights @ weights)
        return value, gradient

    fitted = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return basis @ fitted.x[:p], cut_points(fitted.x)
