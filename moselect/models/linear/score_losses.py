"""Optimiser of a loss along a linear score, with a ridge penalty and signs of weights."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve, cholesky, inv
from scipy.optimize import Bounds, minimize

from moselect._types import Floats, Integers
from moselect.models.maximum_likelihood import NARROWEST

# Function of the scores, cut points and extra parameters: its value, and the gradients.
Loss = Callable[[Floats, Floats, Floats], tuple[float, Floats, Floats, Floats]]
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


def minimise_score_loss(
    X: Floats,
    penalty: float,
    spread: Floats,
    signs: Integers | None,
    loss: Loss,
    start: tuple[Floats, Floats, Floats],
    options: Options,
) -> Floats:
    """Find the weights (p,) of least loss of the scores, with ascending cut points.

    The optimiser works in coordinates that speed up convergence: features are whitened, and cut
    points are represented by the first one and their gaps, whose lower bound makes them ascend.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Features.
    penalty : float
        Penalty of the squares of the weights.
    spread : ndarray of shape (p, p)
        Bound of the Hessian by the weights, such as second moments of the features and the
        penalties: the coordinates make it the identity.
    signs : ndarray of shape (p,) or None
        As in `fit_proportional_odds`.
    loss : callable
        Function of scores (n,), cut points (r - 1,) and extra parameters (e,) that returns
        its value and the gradients.
    start : tuple of ndarray, of shape (p,), (r - 1,) and (e,)
        Weights, cut points and extra parameters.
    options : dict
        Options of scipy's L-BFGS-B.
    """
    p = len(start[0])
    last = p + len(start[1])
    # L-BFGS starts from a good metric.
    basis, inverse, lowest, highest = fit_coordinates(spread, signs)

    def of_coordinates(packed: Floats) -> tuple[float, Floats]:
        weights = basis @ packed[:p]
        value, d_scores, d_cuts, d_extra = loss(
            X @ weights, packed[p:last].cumsum(), packed[last:]
        )
        # The ridge penalty counts the weights in their own units, so its gradient turns
        # with the basis.
        d_weights = (d_scores @ X + penalty * weights) @ basis
        # A shift of the first cut point shifts all later ones; so does each gap.
        gradient = [d_weights, d_cuts[::-1].cumsum()[::-1], d_extra]
        value += float(penalty * weights @ weights) / 2.0
        return value, np.concatenate(gradient)

    weights, cuts, extra = start
    packed = np.concatenate([inverse @ weights, cuts[:1], np.diff(cuts), extra])
    low = np.full(len(packed), -np.inf)
    high = -low
    low[:p] = lowest
    high[:p] = highest
    low[p + 1 : last] = NARROWEST
    best = minimize(
        of_coordinates,
        packed,
        jac=True,
        method="L-BFGS-B",
        bounds=Bounds(low, high),
        options=options,
    )
    return basis @ best.x[:p]
