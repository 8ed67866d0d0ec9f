"""Directions whose weights have given signs: a cone, and the projection onto it."""

from __future__ import annotations

import numpy as np

from moselect._types import Floats, Integers
from moselect.search.whitening import Whitening, unit


class Cone:
    """The directions (d,) whose weights (p,) have the given signs, 1, -1, or 0 for any.

    Whatever position is evaluated, `keep` clips its weights; `project` takes positions back
    to the cone, so that the swarm moves inside it.
    """

    def __init__(self, whitening: Whitening, signs: Integers) -> None:
        self._whitening = whitening
        self._signs = signs
        self._bound = np.flatnonzero((signs != 0) & ~whitening.constant)
        # Row i: the weight of bound feature i along a direction, times its sign.
        normals = whitening.weights(np.eye(whitening.n_dimensions))[:, self._bound]
        self._normals = np.ascontiguousarray((normals * signs[self._bound]).T)
        self._squares = (self._normals**2).sum(axis=1)

    def keep(self, weights: Floats) -> Floats:
        """Return weights (P, p) with 0 in place of the wrong sign."""
        return np.where(weights * self._signs < 0.0, 0.0, weights)

    def project(self, positions: Floats) -> Floats:
        """Return the nearest directions (P, d) in the cone, unit vectors.

        Whitened distances are distances of scores. Cyclic projections with corrections
        (Hildreth 1957, A quadratic programming procedure) converge to the projection;
        a few sweeps are close to it. Where only 0 is left, the weights of the wrong sign
        are turned instead.
        """
        projected = positions.copy()
        outside = np.flatnonzero((projected @ self._normals.T < 0.0).any(axis=1))
        if not len(outside):
            return positions
        moved = projected[outside]
        dual = np.zeros((len(self._bound), len(outside)))
        # over all bounds, at most
        sweeps = 20
        # longest step of the last sweep; what is beyond a bound is clipped
        tolerance = 1e-3
        for _ in range(sweeps):
            largest = 0.0
            for i, (normal, square) in enumerate(
                zip(self._normals, self._squares, strict=True)
            ):
                step = np.maximum(-(moved @ normal) / square, -dual[i])
                dual[i] += step
                moved += step[:, None] * normal
                largest = max(largest, float(np.abs(step).max() * np.sqrt(square)))
            if largest < tolerance:
                break
        lost = np.linalg.norm(moved, axis=1) < 10.0 * tolerance
        if lost.any():
            weights = self._whitening.weights(positions[outside[lost]])
            turned = np.where(self._signs != 0, np.abs(weights) * self._signs, weights)
            moved[lost] = self._whitening.of_weights(turned)
        projected[outside] = unit(moved)
        return projected
