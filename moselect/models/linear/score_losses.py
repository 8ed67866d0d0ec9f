"""Optimiser of a loss along a linear score, with a ridge penalty and signs of weights."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import cholesky, inv
from scipy.optimize import Bounds, minimize

from moselect._types import Floats, Integers
from moselect.models.maximum_likelihood import NARROWEST

# Function of the scores, cut points and extra parameters: its value, and the gradients.
Loss = Callable[[Floats, Floats, Floats], tuple[float, Floats, Floats, Floats]]
Options = Any  # a dict of options of scipy's L-BFGS-B, whose type is private


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

    The optimiser works in coordinates that speed up convergence: features are whitened, or with
    signs scaled, and cut points are represented by the first one and their gaps, whose lower bound
    makes them ascend.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Features.
    penalty : float
        Penalty of the squares of the weights.
    spread : ndarray of shape (p, p)
        Bound of the Hessian by the weights, such as second moments of the features and the
        penalties: the coordinates make it, or its diagonal, the identity.
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
    low = np.full(last + len(start[2]), -np.inf)
    high = -low
    low[p + 1 : last] = NARROWEST
    # L-BFGS starts from a good metric.
    root = cholesky(spread)
    if signs is not None and signs.any():
        root = np.diag(np.sqrt(spread.diagonal()))  # keeps the signs of coordinates
        low[:p][signs > 0] = 0.0
        high[:p][signs < 0] = 0.0
    basis = inv(root)

    def of_packed(packed: Floats) -> tuple[float, Floats]:
        weights = basis @ packed[:p]
        value, d_scores, d_intercepts, d_extra = loss(
            X @ weights, packed[p:last].cumsum(), packed[last:]
        )
        value += float(penalty * weights @ weights) / 2.0
        d_weights = (d_scores @ X + penalty * weights) @ basis
        # A shift of the first cut point shifts all later ones; so does each gap.
        gradient = [d_weights, d_intercepts[::-1].cumsum()[::-1], d_extra]
        return value, np.concatenate(gradient)

    weights, intercepts, extra = start
    packed = np.concatenate([root @ weights, intercepts[:1], np.diff(intercepts), extra])
    best = minimize(
        of_packed,
        packed,
        jac=True,
        method="L-BFGS-B",
        bounds=Bounds(low, high),
        options=options,
    )
    return basis @ best.x[:p]
