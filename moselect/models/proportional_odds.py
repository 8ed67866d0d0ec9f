"""The proportional-odds model (McCullagh 1980), fitted by maximum likelihood."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky, inv
from scipy.optimize import minimize
from scipy.special import expit, logit

from moselect._kernels.cumulative_logit import negative_log_likelihood

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FLAT = 1e-8  # keeps collinear features from dividing by zero
WIDEST = 50.0  # logarithm of the largest gap between cut points
NARROWEST = 1e-6  # gap between the cut points at the start, also around a class without objects


class RoundCoordinates:
    """Coordinates of weights and ascending cut points in which an optimiser needs few steps.

    The features are uncorrelated in them; the cut points are their first one and the logarithms of
    their gaps, so that they ascend whatever the optimiser tries.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Features, standardised.
    penalty : float
        Weight of the ridge penalty, on the scale of the summed log-likelihood.
    sample_weight : ndarray of shape (n,)
        Weights of the objects.
    """

    def __init__(self, X: Floats, penalty: float, sample_weight: Floats) -> None:
        total = sample_weight.sum()
        spread = (X * sample_weight[:, None]).T @ X / total
        spread += (penalty / total + FLAT) * np.eye(X.shape[1])
        self._root: Floats = cholesky(spread, lower=True)
        self._basis: Floats = inv(self._root).T
        self._penalty = penalty
        self.features: Floats = X @ self._basis

    def pack(self, weights: Floats, cuts: Floats) -> Floats:
        """Give the coordinates of weights (p,) and cut points (r - 1,)."""
        gaps = np.maximum(np.diff(cuts), NARROWEST)
        return np.concatenate([self._root.T @ weights, cuts[:1], np.log(gaps)])

    def weights(self, packed: Floats) -> Floats:
        """Give the weights (p,) of coordinates."""
        return self._basis @ packed[: len(self._basis)]

    def cuts(self, packed: Floats) -> Floats:
        """Give the cut points (r - 1,) of coordinates."""
        first = packed[len(self._basis)]
        return np.asarray(first + np.concatenate([[0.0], np.cumsum(self._gaps(packed))]))

    def scores(self, packed: Floats) -> Floats:
        """Give the scores (n,) of coordinates."""
        return self.features @ packed[: len(self._basis)]

    def ridge(self, packed: Floats) -> tuple[float, Floats]:
        """Give the ridge penalty and its gradient by the coordinates of the weights."""
        weights = self.weights(packed)
        return self._penalty / 2.0 * float(weights @ weights), self._penalty * (
            self._basis.T @ weights
        )

    def gradient(self, packed: Floats, d_scores: Floats, d_cuts: Floats) -> Floats:
        """Turn gradients by scores and by cut points into one by coordinates."""
        tail = np.cumsum(d_cuts[::-1])[::-1]
        gaps = self._gaps(packed)
        return np.concatenate([self.features.T @ d_scores, tail[:1], tail[1:] * gaps])

    def _gaps(self, packed: Floats) -> Floats:
        # A step may try any number: none may become infinite.
        return np.asarray(np.exp(np.minimum(packed[len(self._basis) + 1 :], WIDEST)))


def fit_proportional_odds(
    X: Floats,
    codes: Integers,
    n_classes: int,
    penalty: float,
    sample_weight: Floats | None = None,
    *,
    start: tuple[Floats, Floats] | None = None,
) -> tuple[Floats, Floats]:
    """Fit ``P(y <= k | x) = expit(b_k - w . x)`` with a ridge penalty ``penalty / 2 |w|^2``.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Features, standardised.
    codes : ndarray of shape (n,)
        Class codes 0 .. r - 1.
    n_classes : int
        r.
    penalty : float
        Weight of the ridge penalty, on the scale of the summed log-likelihood.
    sample_weight : ndarray of shape (n,), optional
        Weights of the objects.
    start : tuple of ndarray, optional
        Weights and cut points near the solution, from which it is found faster.

    Returns
    -------
    weights : ndarray of shape (p,)
    cut_points : ndarray of shape (r - 1,)
    """
    n, p = X.shape
    w = np.ones(n) if sample_weight is None else sample_weight
    coordinates = RoundCoordinates(X, penalty, w)
    if start is None:
        start = np.zeros(p), _marginal_cuts(codes, n_classes, w)
    d_scores, d_cuts = np.empty(n), np.empty(n_classes - 1)

    def loss(packed: Floats) -> tuple[float, Floats]:
        scores, cuts = coordinates.scores(packed), coordinates.cuts(packed)
        value = negative_log_likelihood(scores, cuts, codes, w, d_scores, d_cuts)
        ridge, d_ridge = coordinates.ridge(packed)
        gradient = coordinates.gradient(packed, d_scores, d_cuts)
        gradient[:p] += d_ridge
        return value + ridge, gradient

    packed = coordinates.pack(*start)
    fitted = minimize(loss, packed, jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    return coordinates.weights(fitted), coordinates.cuts(fitted)


def class_probabilities(scores: Floats, cuts: Floats) -> Floats:
    """Give the probabilities (n, r) of the classes under cut points in logits of the score."""
    above = expit(scores[:, None] - cuts)
    ones, zeros = np.ones((len(scores), 1)), np.zeros((len(scores), 1))
    return np.asarray(-np.diff(np.hstack([ones, above, zeros]), axis=1))


def _marginal_cuts(codes: Integers, n_classes: int, weights: Floats) -> Floats:
    """Give the cut points of scores that are all 0."""
    masses = np.bincount(codes, weights=weights, minlength=n_classes)
    shares = np.cumsum(masses)[:-1] / masses.sum()
    return np.asarray(logit(np.clip(shares, NARROWEST, 1.0 - NARROWEST)))
