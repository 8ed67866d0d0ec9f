"""Optimisers of losses along linear scores, with ridge penalties and signs of weights."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve, cholesky, inv, svd
from scipy.optimize import Bounds, minimize
from scipy.special import logit

from moselect._kernels.cumulative_logit import negative_log_likelihoods
from moselect._types import Floats, Integers

# Ridge of standardised features that keeps collinear ones from dividing by zero.
FLAT = 1e-8
# Gap between the cut points at the start, also around a class without samples.
NARROWEST = 1e-6
# Function of the scores, cut points and extra parameters of f fits, a row each: values (f,),
# and the gradients.
Losses = Callable[[Floats, Floats, Floats], tuple[Floats, Floats, Floats, Floats]]
Options = Any  # a dict of options of scipy's L-BFGS-B, whose type is private


class Coordinates(NamedTuple):
    """``weights = basis @ coordinates``, with bounds of the coordinates."""

    basis: Floats  # (p, p), from coordinates to weights
    inverse: Floats  # (p, p), and back
    low: Floats  # (p,), infinite for any sign
    high: Floats


def fit_coordinates(spread: Floats, signs: Integers | None) -> Coordinates:
    """Return coordinates in which a quadratic form (p, p) is close to the identity.

    Without signs (p,) it is the identity (whitening). A weight with a sign, 1 or -1, is a
    multiple of one coordinate, so that a bound of the coordinate keeps its sign; the other
    coordinates are whitened, and the other weights compensate so that the quadratic form
    has no terms between the two (the Schur complement).

    Examples
    --------
    >>> spread = np.array([[1.0, 0.5], [0.5, 1.0]])
    >>> known = fit_coordinates(spread, np.array([0, 1]))
    >>> (known.basis.T @ spread @ known.basis).round(9)
    array([[1., 0.],
           [0., 1.]])
    >>> known.low, known.high
    (array([-inf,   0.]), array([inf, inf]))
    """
    # Without signs a Cholesky factor whitens all coordinates.
    if signs is None or not signs.any():
        root = cholesky(spread, lower=True)
        unbounded = np.full(len(spread), np.inf)
        return Coordinates(inv(root).T, root.T, -unbounded, unbounded)
    free = np.flatnonzero(signs == 0)
    bound = np.flatnonzero(signs)
    basis = np.zeros_like(spread)
    rest = spread[np.ix_(bound, bound)]
    across = np.zeros((len(free), len(bound)))
    if len(free):
        within = spread[np.ix_(free, free)]
        between = spread[np.ix_(free, bound)]
        basis[np.ix_(free, free)] = inv(cholesky(within, lower=True)).T
        # Regress each bound feature on the free ones.
        across = cho_solve(cho_factor(within), between)
        # Schur complement: variance of the bound features that the free ones do not
        # explain.
        rest = rest - between.T @ across
    scale = 1.0 / np.sqrt(np.maximum(rest.diagonal(), np.finfo(np.float64).tiny))
    # A bound coefficient is scaled only, so that a bound keeps its sign.
    basis[bound, bound] = scale
    # The free coefficients compensate for a bound one where they are correlated.
    basis[np.ix_(free, bound)] = -across * scale
    low = np.where(signs > 0, 0.0, -np.inf)
    high = np.where(signs < 0, 0.0, np.inf)
    return Coordinates(basis, inv(basis), low, high)


def minimise_score_losses(
    columns: Floats,
    ridge: Floats,
    spread: Floats,
    signs: Integers | None,
    losses: Losses,
    start: tuple[Floats, Floats, Floats],
    options: Options,
) -> tuple[Floats, Floats]:
    """Find the weights (f, p) and ascending cut points (f, r - 1) of least losses of scores.

    The f fits share matrix products. The optimiser works in coordinates that speed up
    convergence: features are whitened, and cut points are represented by the first one and the
    logarithms of their gaps, so that they always ascend.

    Parameters
    ----------
    columns : ndarray of shape (p, n)
        Features.
    ridge : ndarray of shape (p,)
        Penalties of the squares of the weights.
    spread : ndarray of shape (p, p)
        Bound of the Hessian by the weights, such as second moments of the features and the
        penalties: the coordinates make it the identity.
    signs : ndarray of shape (p,) or None
        As in `fit_proportional_odds`.
    losses : callable
        Function of scores (f, n), cut points (f, r - 1) and extra parameters (f, e) that
        returns values (f,) and the gradients.
    start : tuple of ndarray, of shape (f, p), (f, r - 1) and (f, e)
        Weights, cut points and extra parameters.
    options : dict
        Options of scipy's L-BFGS-B.
    """
    n_fits, p = start[0].shape
    n_others = start[1].shape[1] + start[2].shape[1]
    last = p + start[1].shape[1]
    # L-BFGS starts from a good metric.
    basis, inverse, lowest, highest = fit_coordinates(spread, signs)

    def of_coordinates(packed: Floats) -> tuple[float, Floats]:
        parts = packed.reshape(n_fits, -1)
        weights = parts[:, :p] @ basis.T
        scores = weights @ columns
        intercepts = ascending_intercepts(parts[:, p:last])
        value = (ridge * weights**2).sum() / 2.0
        gradient = np.empty_like(parts)
        values, d_scores, d_intercepts, gradient[:, last:] = losses(
            scores, intercepts, parts[:, last:]
        )
        for value_of_fit in values:
            value += value_of_fit
        # The ridge penalty counts the weights in their own units, so its gradient turns
        # with the basis.
        gradient[:, :p] = (d_scores @ columns.T + ridge * weights) @ basis
        gradient[:, p:last] = gradient_by_coordinates(parts[:, p:last], d_intercepts)
        return float(value), gradient.ravel()

    coordinates = start[0] @ inverse.T
    packed = np.hstack([coordinates, intercept_coordinates(start[1]), start[2]])
    free = np.full(n_others, np.inf)
    low = np.tile(np.append(lowest, -free), n_fits)
    high = np.tile(np.append(highest, free), n_fits)
    best = minimize(
        of_coordinates,
        packed.ravel(),
        jac=True,
        method="L-BFGS-B",
        bounds=Bounds(low, high),
        options=options,
    )
    parts = best.x.reshape(n_fits, -1)
    return parts[:, :p] @ basis.T, ascending_intercepts(parts[:, p:last])


def intercept_coordinates(intercepts: Floats) -> Floats:
    """Transform ascending cut points (..., r - 1) to the first one and logarithms of gaps."""
    # A gap of 0 has no logarithm, and two equal cut points no class between them.
    gaps = np.maximum(np.diff(intercepts), NARROWEST)
    return np.concatenate([intercepts[..., :1], np.log(gaps)], axis=-1)


def ascending_intercepts(coordinates: Floats) -> Floats:
    """Invert `intercept_coordinates`: always ascending cut points (..., r - 1)."""
    intercepts = coordinates.copy()
    intercepts[..., 1:] = coordinates[..., :1] + _gaps(coordinates).cumsum(axis=-1)
    return intercepts


def gradient_by_coordinates(coordinates: Floats, d_intercepts: Floats) -> Floats:
    """Transform gradients by cut points (..., r - 1) to gradients by their coordinates."""
    # A shift of the first cut point shifts all later ones; so does each gap.
    gradient = d_intercepts[..., ::-1].cumsum(axis=-1)[..., ::-1]
    gradient[..., 1:] *= _gaps(coordinates)
    return gradient


# A line search may try extreme values: keep gaps finite.
# Logarithm of the largest gap between cut points.
WIDEST_LOG_GAP = 50.0


def _gaps(coordinates: Floats) -> Floats:
    return np.exp(np.minimum(coordinates[..., 1:], WIDEST_LOG_GAP))


def sample_space(X: Floats) -> Floats:
    """Return an orthonormal basis (n, p) of the samples (n, p), n < p.

    Under a ridge penalty the best weights are a combination of the samples.
    """
    return svd(X, full_matrices=False)[2]


def marginal_intercepts(codes: Integers, n_classes: int, weights: Floats) -> Floats:
    """Compute the cut points of the null model, with all scores 0."""
    class_weights = np.bincount(codes, weights=weights, minlength=n_classes)
    shares = np.cumsum(class_weights)[:-1] / class_weights.sum()
    return logit(np.clip(shares, NARROWEST, 1.0 - NARROWEST))


# Lower bound of probabilities, for classes that are absent from a training fold.
CLIP_PROBA = 1e-6


def log_likelihoods(proba: Floats, codes: Integers) -> Floats:
    """Compute the log-likelihood (..., n) of samples under class probabilities (..., n, r)."""
    of_true = proba[..., np.arange(len(codes)), codes]
    return np.log(np.maximum(of_true, CLIP_PROBA))


def _likelihood_losses(
    codes: Integers,
    sample_weights: Floats,
    scores: Floats,
    intercepts: Floats,
    extra: Floats,
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the negative log-likelihoods of proportional odds, and their gradients."""
    d_scores = np.empty_like(scores)
    d_intercepts = np.empty_like(intercepts)
    values = negative_log_likelihoods(
        scores, intercepts, codes, sample_weights, d_scores, d_intercepts
    )
    return values, d_scores, d_intercepts, extra


# Folds are weights here, not fits of a learner by `cross_validate`: the fits of all folds share
# one optimiser, and each starts where the fit of the previous penalty ended.
class PenalisedFits:
    """Simultaneous fits to the same columns under several sample weights (one a fold).

    The fits share matrix products and whitened coordinates, which speed up convergence.
    Each fit is warm-started from the previous one. Coefficients keep the ``signs`` (q,), 1
    or -1, where these are not 0.
    """

    def __init__(
        self,
        Z: Floats,
        codes: Integers,
        sample_weights: Floats,
        signs: Integers,
    ) -> None:
        self._signs = signs
        n_classes = int(codes.max()) + 1
        self._columns = np.ascontiguousarray(Z.T)
        weights = np.ascontiguousarray(sample_weights)
        self._losses = partial(_likelihood_losses, codes, weights)
        # One matrix of second moments for all folds: a bound for each of them.
        largest = sample_weights.max(axis=0)
        self._total = float(largest.sum())
        self._products = (self._columns * largest) @ Z / self._total
        self.weights = np.zeros((len(sample_weights), Z.shape[1]))
        self.intercepts = np.array(
            [marginal_intercepts(codes, n_classes, w) for w in sample_weights]
        )

    def fit(self, penalties: Floats, options: Options) -> Floats:
        """Fit under penalties (q,), infinite for columns left out; return scores (n_fits, n).

        ``options`` are passed to scipy's L-BFGS-B.
        """
        used = np.isfinite(penalties)
        # An infinite penalty leaves its columns out.
        columns = self._columns[used]
        ridge = penalties[used]
        spread = self._products[np.ix_(used, used)] + np.diag(ridge / self._total + FLAT)
        # Weights of the last fit start the next: neighbouring penalties have similar
        # optima.
        start = self.weights[:, used], self.intercepts, np.empty((len(self.weights), 0))
        weights, self.intercepts = minimise_score_losses(
            columns, ridge, spread, self._signs[used], self._losses, start, options
        )
        self.weights = np.zeros_like(self.weights)
        self.weights[:, used] = weights
        return weights @ columns
