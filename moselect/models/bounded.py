"""Coordinates of coefficients that speed up a fit and keep the signs of some of them."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve, cholesky, inv

from moselect._types import Floats, Integers

Bounds = list[tuple[float | None, float | None]]
BOUNDS: dict[int, tuple[float | None, float | None]] = {
    -1: (None, 0.0),
    0: (None, None),
    1: (0.0, None),
}


class Coordinates(NamedTuple):
    """``weights = basis @ coordinates``, with bounds of the coordinates, if any.

    Attributes
    ----------
    basis, inverse : ndarray of shape (p, p)
        From coordinates to weights, and back.
    bounds : list of pairs, or None
        Bounds of the coordinates, which keep the signs of weights.
    """

    basis: Floats
    inverse: Floats
    bounds: Bounds | None = None

    def bounds_with(self, n_others: int, repeats: int = 1) -> Bounds | None:
        """Return bounds for ``repeats`` fits, each followed by other, free parameters."""
        if self.bounds is None:
            return None
        return (self.bounds + [BOUNDS[0]] * n_others) * repeats


def fit_coordinates(spread: Floats, signs: Integers | None) -> Coordinates:
    """Return coordinates in which a quadratic form (p, p) is close to the identity.

    Without signs (p,) it is the identity (whitening). A weight with a sign, 1 or -1, is a
    multiple of one coordinate, so that a bound of the coordinate keeps its sign; the other
    coordinates are whitened, and the other weights move along so that the quadratic form
    has no terms between the two (the Schur complement).

    Examples
    --------
    >>> spread = np.array([[1.0, 0.5], [0.5, 1.0]])
    >>> known = fit_coordinates(spread, np.array([0, 1]))
    >>> (known.basis.T @ spread @ known.basis).round(9)
    array([[1., 0.],
           [0., 1.]])
    >>> known.bounds
    [(None, None), (0.0, None)]
    """
    # Without signs a Cholesky factor whitens all coordinates.
    if signs is None or not signs.any():
        root = cholesky(spread, lower=True)
        return Coordinates(inv(root).T, root.T)
    free = np.flatnonzero(signs == 0)
    bound = np.flatnonzero(signs)
    basis = np.zeros_like(spread)
    rest = spread[np.ix_(bound, bound)]
    across = np.zeros((len(free), len(bound)))
    if len(free):
        within = spread[np.ix_(free, free)]
        between = spread[np.ix_(free, bound)]
        basis[np.ix_(free, free)] = inv(cholesky(within, lower=True)).T
        # The free coefficients follow the bound ones: regress each bound feature on the
        # free.
        across = cho_solve(cho_factor(within), between)
        # Schur complement: variance of the bound features that the free ones do not
        # explain.
        rest = rest - between.T @ across
    scale = 1.0 / np.sqrt(np.maximum(rest.diagonal(), np.finfo(np.float64).tiny))
    # A bound coefficient keeps a coordinate of its own, scaled only, so that its sign is
    # a bound.
    basis[bound, bound] = scale
    # A step of a bound coefficient is taken back by the free ones where they are
    # correlated.
    basis[np.ix_(free, bound)] = -across * scale
    return Coordinates(basis, inv(basis), [BOUNDS[sign] for sign in signs.tolist()])


def steepest(point: Floats, gradient: Floats, bounds: Bounds | None) -> float:
    """Return the largest component of a gradient along which the bounds leave room."""
    if bounds is None:
        return float(np.abs(gradient).max())
    limits = np.array(bounds, dtype=np.float64)
    low = np.nan_to_num(limits[:, 0], nan=-np.inf)
    high = np.nan_to_num(limits[:, 1], nan=np.inf)
    # A projected gradient: where a bound stops the step, nothing remains to be gained.
    return float(np.abs(point - np.clip(point - gradient, low, high)).max())
