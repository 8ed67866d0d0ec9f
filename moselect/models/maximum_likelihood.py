"""Proportional odds (McCullagh 1980) by maximum likelihood, with ridge penalties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import cholesky, inv, svd
from scipy.optimize import minimize
from scipy.special import logit

from moselect._kernels.cumulative_logit import negative_log_likelihood
from moselect._types import Floats, Integers
from moselect.models.class_probabilities import class_probabilities

FLAT = 1e-8  # keeps collinear features from dividing by zero
WIDEST = 50.0  # logarithm of the largest gap between cut points
NARROWEST = 1e-6  # gap between the cut points at the start, also around a class without samples
PENALTIES = (10_000.0, 3_000.0, 1_000.0, 300.0, 100.0, 30.0, 10.0, 3.0, 1.0, 0.3)
PATIENCE = 2
SURE = 1.0  # standard errors that a group must gain
WEAKER = (1.0, 0.3, 0.1, 0.03)
UNLIKELY = 1e-6  # least probability counted, for a class that a fold was fitted without
CLOSE_ENOUGH = {"maxiter": 200, "ftol": 1e-6}  # for the likelihood of held-out samples


class Fit(NamedTuple):
    """The weights and cut points of greatest penalised likelihood."""

    weights: Floats  # (p,)
    cuts: Floats  # (r - 1,)
    n_iter: int
    steepest: float  # greatest component of the gradient, in all


class RoundCoordinates:
    """Coordinates of weights and ascending cut points in which an optimiser needs few steps.

    The features (n, p) are uncorrelated in them; the cut points are their first one and the
    logarithms of their gaps, so that they ascend whatever the optimiser tries. The penalty is on
    the scale of the summed log-likelihood.
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
        gradient = self._penalty * (self._basis.T @ weights)
        return self._penalty / 2.0 * float(weights @ weights), gradient

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
    options = {"maxiter": 500}
    return maximise_likelihood(X, codes, n_classes, penalty, w, start=start, options=options)[:2]


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
    if p > n:  # the solution is a combination of the samples
        rows = svd(X, full_matrices=False)[2]
        inner = None if start is None else (rows @ start[0], start[1])
        fit = maximise_likelihood(
            X @ rows.T, codes, n_classes, penalty, weights, start=inner, options=options
        )
        return fit._replace(weights=fit.weights @ rows)
    coordinates = RoundCoordinates(X, penalty, weights)
    if start is None:
        start = np.zeros(p), _marginal_cuts(codes, n_classes, weights)
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
    return Fit(coordinates.weights(best.x), coordinates.cuts(best.x), int(best.nit), steepest)


def _marginal_cuts(codes: Integers, n_classes: int, weights: Floats) -> Floats:
    """Compute the cut points of scores that are all 0."""
    class_weights = np.bincount(codes, weights=weights, minlength=n_classes)
    shares = np.cumsum(class_weights)[:-1] / class_weights.sum()
    return np.asarray(logit(np.clip(shares, NARROWEST, 1.0 - NARROWEST)))


def choose_penalties(
    Z: Floats,
    groups: Integers,
    codes: Integers,
    weights: Floats,
    folds: Integers,
    penalties: Sequence[float] = PENALTIES,
) -> Floats:
    """Return the ridge penalty of each group of columns, infinite for one that does not pay.

    The groups come in one after the other, each with the penalty under which samples that were
    not fitted are most likely, the penalties of the groups before it fixed. A group is left out
    unless the gain in log-likelihood is more than its standard error: on small tables the best of
    many penalties looks better than nothing by chance. At last all are tried weaker together.

    ``groups`` (q,) are those of the standardised columns Z (n, q), 0 to g - 1, as they come in; the
    first is always in. ``penalties`` to choose from descend, since the fits of
    the strongest are the fastest; the search ends when two in a row are worse than the best so far.
    """
    likelihood = _HeldOutLikelihood(Z, codes, weights, folds)

    def best_of(tried: list[Floats]) -> tuple[int, Floats]:
        """Return the index of the best penalties and the log-likelihoods under them."""
        found: list[Floats] = []
        sums: list[float] = []
        for of_groups in tried:
            found.append(likelihood(of_groups[groups]))
            sums.append(float(weights @ found[-1]))
            if len(sums) - 1 - int(np.argmax(sums)) >= PATIENCE:
                break
        index = int(np.argmax(sums))
        return index, found[index]

    n_groups = int(groups.max()) + 1
    chosen = np.full(n_groups, np.inf)
    best: Floats | None = None  # log-likelihood of each sample
    for group in np.unique(groups):
        tried = [np.where(np.arange(n_groups) == group, a, chosen) for a in penalties]
        index, found = best_of(tried)
        if best is None or _is_gain(found - best, weights):
            best, chosen = found, tried[index]
    # What was noise to the first groups is explained by the later ones: less of it is left.
    if np.isfinite(chosen).sum() > 1:
        tried = [chosen * factor for factor in WEAKER]
        chosen = tried[best_of(tried)[0]]
    return chosen


def _is_gain(differences: Floats, weights: Floats) -> bool:
    """Return whether the sum of differences (n,) is more than its standard error."""
    mean = np.average(differences, weights=weights)
    error = np.sqrt(weights @ (differences - mean) ** 2)
    return bool(weights.sum() * mean > SURE * error)


def fit_penalised(
    Z: Floats,
    penalties: Floats,
    codes: Integers,
    n_classes: int,
    weights: Floats,
    *,
    start: tuple[Floats, Floats] | None = None,
    options: dict[str, float],
) -> tuple[Floats, Floats]:
    """Do as `maximise_likelihood`, with a penalty for each column, infinite to leave it out."""
    used = np.isfinite(penalties)
    # A column in units in which its penalty is 1.
    units = 1.0 / np.sqrt(penalties[used])
    near = None if start is None else (start[0][used] / units, start[1])
    fit = maximise_likelihood(
        Z[:, used] * units, codes, n_classes, 1.0, weights, start=near, options=options
    )
    found = np.zeros(Z.shape[1])
    found[used] = fit.weights * units
    return found, fit.cuts


class _HeldOutLikelihood:
    """Log-likelihood of each sample by models that were fitted without their fold."""

    def __init__(self, Z: Floats, codes: Integers, weights: Floats, folds: Integers) -> None:
        self._parts = [
            (Z[folds != j], codes[folds != j], weights[folds != j], folds == j)
            for j in np.unique(folds)
        ]
        self._Z, self._codes = Z, codes
        self._starts: list[tuple[Floats, Floats] | None] = [None] * len(self._parts)

    def __call__(self, penalties: Floats) -> Floats:
        """Compute it under penalties (q,) of the columns, shape (n,)."""
        n_classes = int(self._codes.max()) + 1
        found = np.empty(len(self._codes))
        for j, (Z, codes, weights, outside) in enumerate(self._parts):
            start = self._starts[j]
            start = self._starts[j] = fit_penalised(
                Z, penalties, codes, n_classes, weights, start=start, options=CLOSE_ENOUGH
            )
            proba = class_probabilities(self._Z[outside] @ start[0], start[1])
            of_class = proba[np.arange(len(proba)), self._codes[outside]]
            found[outside] = np.log(np.maximum(of_class, UNLIKELY))
        return found
