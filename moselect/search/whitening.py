"""Coordinates of directions: whitened features, and the cone of weights with given signs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from moselect._kernels.scores import linear_scores
from moselect._types import Floats, Integers
from moselect.budgets import MEMORY
from moselect.validation import check_all_finite, ratios_or_zero

# Sweeps over all bounds at most, and longest step of the last one; overshoot is clipped.
SWEEPS = 20
STEP_TOLERANCE = 1e-3


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
        for _ in range(SWEEPS):
            largest = 0.0
            for i, (normal, square) in enumerate(
                zip(self._normals, self._squares, strict=True)
            ):
                step = np.maximum(-(moved @ normal) / square, -dual[i])
                dual[i] += step
                moved += step[:, None] * normal
                largest = max(largest, np.abs(step).max() * np.sqrt(square))
            if largest < STEP_TOLERANCE:
                break
        lost = np.linalg.norm(moved, axis=1) < 10.0 * STEP_TOLERANCE
        if lost.any():
            weights = self._whitening.weights(positions[outside[lost]])
            turned = np.where(self._signs != 0, np.abs(weights) * self._signs, weights)
            moved[lost] = self._whitening.of_weights(turned)
        projected[outside] = unit(moved)
        return projected


# Relative variance below which a principal axis is dropped
FLAT_VARIANCE = 1e-10


class Whitening:
    """Map between whitened directions and weights.

    With Z the standardised features and Z'Z / n = Q L Q', a direction u has the weights Q
    L^(-1/2) u. The scores of a unit vector have variance 1, and collinear features are
    allowed. ``features`` (p, n) have a row for each feature; ValueError if all are constant.
    ``n_dimensions`` is their rank d.
    """

    def __init__(self, features: Floats) -> None:
        lowest = features.min(axis=1)
        highest = features.max(axis=1)
        largest = np.maximum(-lowest, highest)
        # The inverse of a subnormal range overflows.
        self.constant = highest - lowest < np.finfo(np.float64).tiny
        if self.constant.all():
            raise ValueError("all features are constant: there is nothing to learn from")
        self.mean = features.mean(axis=1)
        # Scale by the magnitude, so that squares neither overflow nor underflow.
        size = np.where(largest > 0.0, largest, 1.0)
        if len(features) > features.shape[1]:  # no more dimensions than samples
            deviation = ((features - self.mean[:, None]) / size[:, None]).std(axis=1)
            scale = ~self.constant * deviation * size
            self.inverse_scale = ratios_or_zero(1.0, scale)
            axes, singular, _ = np.linalg.svd(
                self.standardised(features), full_matrices=False
            )
            variances = singular**2 / features.shape[1]
        else:
            p, n = features.shape
            covariance = np.zeros((p, p))
            # In blocks, for a table is not copied as a whole.
            for start in range(0, n, MEMORY.copied_rows):
                block = features[:, start : start + MEMORY.copied_rows]
                deviations = (block - self.mean[:, None]) / size[:, None]
                covariance += deviations @ deviations.T
            covariance /= n
            scale = ~self.constant * np.sqrt(covariance.diagonal()) * size
            self.inverse_scale = ratios_or_zero(1.0, scale)
            to_correlation = self.inverse_scale * size
            variances, axes = np.linalg.eigh(
                covariance * np.outer(to_correlation, to_correlation)
            )
        kept = variances > FLAT_VARIANCE * variances.max()
        deviations = np.sqrt(variances[kept])
        axes = axes[:, kept]
        self._basis = np.ascontiguousarray((axes / deviations).T * self.inverse_scale)
        self._coordinates = (axes * deviations).T
        self.n_dimensions = len(self._basis)

    def standardised(self, features: Floats) -> Floats:
        """Return features (p, k) of samples, standardised to mean 0 and variance 1."""
        return (features - self.mean[:, None]) * self.inverse_scale[:, None]

    def weights(self, directions: Floats) -> Floats:
        """Return the weights (P, p) of directions (P, d), in units of the features."""
        # Not BLAS: the weights of a direction must not depend on its batch, to the last
        # bit.
        return linear_scores(self._basis, np.ascontiguousarray(directions), 0)

    def directions(self, standardised: Floats) -> Floats:
        """Return the directions (P, d) of weights (P, p) of standardised features."""
        return np.einsum("pf,df->pd", standardised, self._coordinates)

    def of_weights(self, weights: Floats) -> Floats:
        """Return the directions (P, d) of weights (P, p) in units of the features."""
        return self.directions(weights * ratios_or_zero(1.0, self.inverse_scale))

    def pull_back(self, gradients: Floats) -> Floats:
        """Transform gradients with respect to weights (P, p) to those by directions (P, d)."""
        return np.einsum("pf,df->pd", gradients, self._basis)


def unit(positions: Floats) -> Floats:
    """Project positions (P, d) onto the unit sphere."""
    length = np.linalg.norm(positions, axis=1, keepdims=True)
    return positions / np.maximum(length, np.finfo(np.float64).tiny)


def check_positions(positions: ArrayLike, n_dimensions: int) -> Floats:
    """Return positions as a C-contiguous array (P, d) of finite numbers."""
    batch = np.ascontiguousarray(positions, float)
    if batch.ndim != 2 or batch.shape[1] != n_dimensions:
        raise ValueError(
            f"positions have shape {batch.shape}, expected (P, {n_dimensions})"
        )
    check_all_finite("positions", batch)
    return batch
