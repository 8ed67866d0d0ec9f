"""Hyperparameters of the ordinal Gaussian process by maximum evidence."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import ndtri

from experiments.sommer2015.gaussian_process.laplace import LaplaceApproximation
from experiments.sommer2015.gaussian_process.likelihood import OrdinalLikelihood

Floats, Integers = NDArray[np.float64], NDArray[np.int64]

WIDEST = 10.0  # bound of the coordinates: a step may try any number, but none overflows
MOST_STEPS = 100
OUT_OF_STEPS = 1  # scipy's status of a minimiser that these stopped
FLAT = 1e-4


class Hyperparameters(NamedTuple):
    """Length scale of the kernel, noise, and ascending thresholds (r - 1,)."""

    length_scale: float
    noise: float
    thresholds: Floats

    @classmethod
    def marginal(cls, length_scale: float, noise: float, codes: Integers) -> Self:
        """Compute thresholds under which the prior class probabilities are the class shares."""
        at_most = np.cumsum(np.bincount(codes))[:-1] / len(codes)
        return cls(length_scale, noise, np.hypot(1.0, noise) * ndtri(at_most))

    @classmethod
    def unpack(cls, packed: Floats) -> Self:
        """Return the hyperparameters of coordinates."""
        length_scale, noise, *gaps = np.exp(np.delete(packed, 2)).tolist()
        return cls(length_scale, noise, packed[2] + np.cumsum([0.0, *gaps]))

    def pack(self) -> Floats:
        """Return coordinates (r + 1,): logs of scale, noise and gaps; the lowest threshold."""
        positive = np.log([self.length_scale, self.noise, *np.diff(self.thresholds)])
        return np.insert(positive, 2, self.thresholds[0])


class Evidence:
    """Log evidence of hyperparameters, given samples.

    Parameters
    ----------
    squares : ndarray of shape (n, n)
        Squared distances between the samples.
    codes : ndarray of shape (n,)
        Class codes 0 .. r - 1, each class with samples.
    """

    def __init__(self, squares: Floats, codes: Integers) -> None:
        self._squares = squares
        self._codes = codes
        self._alpha: Floats | None = None

    def approximate(self, values: Hyperparameters) -> LaplaceApproximation:
        """Compute the posterior; it starts from the one before."""
        likelihood = OrdinalLikelihood(self._codes, values.thresholds, values.noise)
        K = covariance(self._squares, values.length_scale)
        posterior = LaplaceApproximation(K, likelihood, self._alpha)
        self._alpha = posterior.alpha
        return posterior

    def loss(self, packed: Floats) -> tuple[float, Floats]:
        """Compute minus the log evidence of coordinates, and its gradient."""
        bounded = np.clip(packed, -WIDEST, WIDEST)
        values = Hyperparameters.unpack(bounded)
        posterior = self.approximate(values)
        dK = posterior.K * (self._squares / values.length_scale**2)
        by_length_scale, by_log_noise, by_thresholds = posterior.gradient(dK)
        tail = np.cumsum(by_thresholds[::-1])[::-1]
        gaps = np.diff(values.thresholds)
        gradient = np.concatenate(
            [[by_length_scale, by_log_noise], tail[:1], tail[1:] * gaps]
        )
        return -posterior.log_evidence, np.where(bounded == packed, -gradient, 0.0)

    def maximise(
        self, start: Hyperparameters, inverse_hessian: Floats | None = None
    ) -> Optimum:
        """Climb by quasi-Newton steps; ``inverse_hessian`` may be that of other samples' loss."""
        options: Any = {
            "maxiter": MOST_STEPS,
            "gtol": FLAT * len(self._codes),
            "hess_inv0": inverse_hessian,
        }
        found: Any = minimize(
            self.loss, start.pack(), jac=True, method="BFGS", options=options
        )
        symmetric = (found.hess_inv + found.hess_inv.T) / 2.0  # but for rounding it was
        return Optimum(
            Hyperparameters.unpack(np.clip(found.x, -WIDEST, WIDEST)),
            -found.fun,
            found.nit,
            found.status != OUT_OF_STEPS,
            symmetric,
        )


class Optimum(NamedTuple):
    """Hyperparameters at the end of a climb."""

    values: Hyperparameters
    log_evidence: float
    n_iter: int
    converged: bool
    inverse_hessian: Floats


def covariance(squares: Floats, length_scale: float) -> Floats:
    """Compute the Gaussian kernel of squared distances."""
    return np.asarray(np.exp(squares / (-2.0 * length_scale**2)))
