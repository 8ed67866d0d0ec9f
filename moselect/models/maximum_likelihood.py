"""Proportional odds (McCullagh 1980) by maximum likelihood, with ridge penalties."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import cholesky, inv, svd
from scipy.optimize import minimize
from scipy.special import logit

from moselect._kernels.cumulative_logit import negative_log_likelihood
from moselect._types import Floats, Integers

FLAT = 1e-8  # keeps collinear features from dividing by zero
WIDEST = 50.0  # logarithm of the largest gap between cut points
# gap between the cut points at the start, also around a class without samples
NARROWEST = 1e-6


class Fit(NamedTuple):
    """The weights and cut points of greatest penalised likelihood."""

    weights: Floats  # (p,)
    cuts: Floats  # (r - 1,)
    n_iter: int
    steepest: float  # greatest component of the gradient, in all


class RoundCoordinates:
    """Coordinates of weights and ascending cut points in which an optimiser needs few steps.

    The features (n, p) are uncorrelated in them; the cut points are their first one and
    the logarithms of their gaps, so that they ascend whatever the optimiser tries. The
    penalty is on the scale of the summed log-likelihood.
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
        """Return the coordinates of weights (p,) and cut points (r - 1,)."""
        return np.concatenate([self._root.T @ weights, cut_coordinates(cuts)])

    def weights(self, packed: Floats) -> Floats:
        """Return the weights (p,) of coordinates."""
        return self._basis @ packed[: len(self._basis)]

    def cuts(self, packed: Floats) -> Floats:
        """Return the cut points (r - 1,) of coordinates."""
        return ascending_cuts(packed[len(self._basis) :])

    def scores(self, packed: Floats) -> Floats:
        """Compute the scores (n,) of coordinates."""
        return self.features @ packed[: len(self._basis)]

    def ridge(self, packed: Floats) -> tuple[float, Floats]:
        """Compute the ridge penalty and its gradient by the coordinates of the weights."""
        weights = self.weights(packed)
        gradient = self._penalty * (self._basis.T @ weights)
        return self._penalty / 2.0 * float(weights @ weights), gradient

    def gradient(self, packed: Floats, d_scores: Floats, d_cuts: Floats) -> Floats:
        """Turn gradients by scores and by cut points into one by coordinates."""
        by_cuts = gradient_by_cut_coordinates(packed[len(self._basis) :], d_cuts)
        return np.concatenate([self.features.T @ d_scores, by_cuts])


def cut_coordinates(cuts: Floats) -> Floats:
    """Return the first of ascending cut points (..., r - 1), and the logarithms of their gaps."""
    gaps = np.maximum(np.diff(cuts), NARROWEST)
    return np.concatenate([cuts[..., :1], np.log(gaps)], axis=-1)


def ascending_cuts(coordinates: Floats) -> Floats:
    """Return the cut points (..., r - 1) of their coordinates, which ascend whatever these are."""
    distances = np.cumsum(_gaps(coordinates), axis=-1)
    first = coordinates[..., :1]
    return first + np.concatenate([np.zeros_like(first), distances], axis=-1)


def gradient_by_cut_coordinates(coordinates: Floats, d_cuts: Floats) -> Floats:
    """Turn gradients by cut points (..., r - 1) into those by their coordinates."""
    tail = np.cumsum(d_cuts[..., ::-1], axis=-1)[..., ::-1]
    return np.concatenate([tail[..., :1], tail[..., 1:] * _gaps(coordinates)], axis=-1)


def _gaps(coordinates: Floats) -> Floats:
    # A step may try any number: none may become infinite.
    return np.exp(np.minimum(coordinates[..., 1:], WIDEST))


def fit_proportional_odds(
    X: Floats,
    codes: Integers,
    n_classes: int,
    penalty: float,
    sample_weight: Floats | None = None,
    *,
    start: tuple[Floats, Floats] | None = None,
) -> tuple[Floats, Floats]:
    """Fit ``P(y <= k | x) = expit(b_k - w @ x)`` with a ridge penalty ``penalty / 2 |w|^2``.

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
        Weights of the samples.
    start : tuple of ndarray, optional
        Weights and cut points near the solution, from which it is found faster.

    Returns
    -------
    weights : ndarray of shape (p,)
    cut_points : ndarray of shape (r - 1,)

    Examples
    --------
    >>> X, codes = np.array([[-1.0], [1.0], [-1.0], [1.0]]), np.array([0, 1, 1, 2])
    >>> weights, cuts = fit_proportional_odds(X, codes, 3, penalty=1e-3)
    >>> bool(weights[0] > 0.0), bool(np.allclose(cuts, -cuts[::-1], atol=1e-4))
    (True, True)
    """
    w = np.ones(len(X)) if sample_weight is None else sample_weight
    options = {"maxiter": 500}
    return maximise_likelihood(
        X, codes, n_classes, penalty, w, start=start, options=options
    )[:2]


def maximise_likelihood(
    X: Floats,
    codes: Integers,
    n_classes: int,
    penalty: float,
    weights: Floats,
    *,
    start: tuple[Floats, Floats] | None = None,
    options: Any,
) -> Fit:
    """Do as `fit_proportional_odds`; ``options`` are those of scipy's L-BFGS-B."""
    n, p = X.shape
    if p > n:
        rows = sample_space(X)
        inner = None if start is None else (rows @ start[0], start[1])
        fit = maximise_likelihood(
            X @ rows.T, codes, n_classes, penalty, weights, start=inner, options=options
        )
        return fit._replace(weights=fit.weights @ rows)
    coordinates = RoundCoordinates(X, penalty, weights)
    if start is None:
        start = np.zeros(p), marginal_cuts(codes, n_classes, weights)
    d_scores, d_cuts = np.empty(n), np.empty(n_classes - 1)

    def loss(packed: Floats) -> tuple[float, Floats]:
        scores, cuts = coordinates.scores(packed), coordinates.cuts(packed)
        value = negative_log_likelihood(scores, cuts, codes, weights, d_scores, d_cuts)
        ridge, d_ridge = coordinates.ridge(packed)
        gradient = coordinates.gradient(packed, d_scores, d_cuts)
        gradient[:p] += d_ridge
        return value + ridge, gradient

    packed = coordinates.pack(*start)
    best = minimize(loss, packed, jac=True, method="L-BFGS-B", options=options)
    steepest = float(np.abs(best.jac).max())
    return Fit(
        coordinates.weights(best.x), coordinates.cuts(best.x), int(best.nit), steepest
    )


def sample_space(X: Floats) -> Floats:
    """Return an orthonormal basis (n, p) of the samples (n, p), n < p.

    Under a ridge penalty the best weights are a combination of the samples.
    """
    return svd(X, full_matrices=False)[2]


def marginal_cuts(codes: Integers, n_classes: int, weights: Floats) -> Floats:
    """Compute the cut points of scores that are all 0."""
    class_weights = np.bincount(codes, weights=weights, minlength=n_classes)
    shares = np.cumsum(class_weights)[:-1] / class_weights.sum()
    return logit(np.clip(shares, NARROWEST, 1.0 - NARROWEST))
