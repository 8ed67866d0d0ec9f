"""Cumulative link models (McCullagh 1980), fitted by maximum likelihood."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import cholesky, inv, svd
from scipy.optimize import minimize
from scipy.special import expit, logit, ndtr, ndtri

from moselect._kernels import cumulative_logit
from moselect._types import Floats, Integers
from moselect.models import cumulative_probit

FLAT = 1e-8  # keeps collinear features from dividing by zero
WIDEST = 50.0  # logarithm of the largest gap between cut points
NARROWEST = 1e-6  # gap between the cut points at the start, also around a class without samples


class Link(NamedTuple):
    """How the probability of a class depends on the score."""

    negative_log_likelihood: Callable[..., float]
    cumulative: Callable[[Floats], Floats]  # P(noise <= z)
    quantile: Callable[[Floats], Floats]


LINKS = {
    "logit": Link(cumulative_logit.negative_log_likelihood, expit, logit),
    "probit": Link(cumulative_probit.negative_log_likelihood, ndtr, ndtri),
}


class CumulativeFit(NamedTuple):
    """What maximum likelihood found."""

    weights: Floats  # (p,)
    cuts: Floats  # (r - 1,)
    n_iter: int
    steepest: float  # greatest component of the gradient, in all


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
        Weights of the samples.

    Examples
    --------
    >>> coordinates = RoundCoordinates(np.array([[-1.0], [1.0]]), 1.0, np.ones(2))
    >>> packed = coordinates.pack(np.array([2.0]), np.array([-1.0, 1.0]))
    >>> coordinates.weights(packed), coordinates.cuts(packed)
    (array([2.]), array([-1.,  1.]))
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
        gaps = np.maximum(np.diff(cuts), NARROWEST)
        return np.concatenate([self._root.T @ weights, cuts[:1], np.log(gaps)])

    def weights(self, packed: Floats) -> Floats:
        """Return the weights (p,) of coordinates."""
        return self._basis @ packed[: len(self._basis)]

    def cuts(self, packed: Floats) -> Floats:
        """Return the cut points (r - 1,) of coordinates."""
        first = packed[len(self._basis)]
        return np.asarray(first + np.concatenate([[0.0], np.cumsum(self._gaps(packed))]))

    def scores(self, packed: Floats) -> Floats:
        """Compute the scores (n,) of coordinates."""
        return self.features @ packed[: len(self._basis)]

    def ridge(self, packed: Floats) -> tuple[float, Floats]:
        """Compute the ridge penalty and its gradient by the coordinates of the weights."""
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
    fit = fit_cumulative_link(
        X, codes, n_classes, penalty, w, start=start, options={"maxiter": 500}
    )
    return fit.weights, fit.cuts


def fit_cumulative_link(
    X: Floats,
    codes: Integers,
    n_classes: int,
    penalty: float,
    sample_weight: Floats,
    *,
    link: str = "logit",
    start: tuple[Floats, Floats] | None = None,
    options: Any,
) -> CumulativeFit:
    """Fit ``P(y <= k | x) = F(b_k - w . x)``; ``options`` are those of scipy's L-BFGS-B.

    Other parameters as in `fit_proportional_odds`.
    """
    n, p = X.shape
    if p > n:  # the solution is a combination of the samples
        rows = svd(X, full_matrices=False)[2]
        inner = None if start is None else (rows @ start[0], start[1])
        fit = fit_cumulative_link(
            X @ rows.T,
            codes,
            n_classes,
            penalty,
            sample_weight,
            link=link,
            start=inner,
            options=options,
        )
        return fit._replace(weights=fit.weights @ rows)
    coordinates = RoundCoordinates(X, penalty, sample_weight)
    if start is None:
        start = np.zeros(p), _marginal_cuts(codes, n_classes, sample_weight, link)
    d_scores, d_cuts = np.empty(n), np.empty(n_classes - 1)
    likelihood = LINKS[link].negative_log_likelihood

    def loss(packed: Floats) -> tuple[float, Floats]:
        scores, cuts = coordinates.scores(packed), coordinates.cuts(packed)
        value = likelihood(scores, cuts, codes, sample_weight, d_scores, d_cuts)
        ridge, d_ridge = coordinates.ridge(packed)
        gradient = coordinates.gradient(packed, d_scores, d_cuts)
        gradient[:p] += d_ridge
        return value + ridge, gradient

    packed = coordinates.pack(*start)
    found = minimize(loss, packed, jac=True, method="L-BFGS-B", options=options)
    steepest = float(np.abs(found.jac).max())
    weights, cuts = coordinates.weights(found.x), coordinates.cuts(found.x)
    return CumulativeFit(weights, cuts, int(found.nit), steepest)


def class_probabilities(scores: Floats, cuts: Floats, link: str = "logit") -> Floats:
    """Compute the probabilities (n, r) of the classes under cut points on the scale of the score.

    Each is a difference in the lower or in the upper tail, where both terms are small: also the
    least ones are exact, and not 0.

    Examples
    --------
    >>> class_probabilities(np.array([0.0]), np.array([-1.0, 1.0])).round(3)
    array([[0.269, 0.462, 0.269]])
    """
    z = cuts - scores[:, None]
    cumulative = LINKS[link].cumulative
    at_most = np.pad(cumulative(z), [(0, 0), (1, 1)], constant_values=(0.0, 1.0))
    above = np.pad(cumulative(-z), [(0, 0), (1, 1)], constant_values=(1.0, 0.0))
    lower, upper = np.diff(at_most, axis=1), above[:, :-1] - above[:, 1:]
    return np.asarray(np.where(at_most[:, 1:] < 0.5, lower, upper))


def _marginal_cuts(codes: Integers, n_classes: int, weights: Floats, link: str) -> Floats:
    """Compute the cut points of scores that are all 0."""
    class_weights = np.bincount(codes, weights=weights, minlength=n_classes)
    shares = np.cumsum(class_weights)[:-1] / class_weights.sum()
    return np.asarray(LINKS[link].quantile(np.clip(shares, NARROWEST, 1.0 - NARROWEST)))
