"""The Laplace approximation of the posterior of the latent values (eq. 1.8) and of the evidence."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve, cholesky, lapack, solve_triangular

from experiments.sommer2015.gaussian_process.likelihood import OrdinalLikelihood

Floats = NDArray[np.float64]

CONVERGED = 1e-10  # expected gain of a Newton step at the end, in units of log-likelihood
MOST_STEPS = 100
SHORTEST = 1e-8  # share of a Newton step


class LaplaceApproximation:
    """The normal distribution about the mode of ``P(f | X, y)``.

    The mode is found by Newton's method on ``sum_i log P(y_i | f_i) - f' K^-1 f / 2``, which is
    concave; a step that does not gain is halved, so that it cannot diverge. All linear algebra
    goes through ``B = I + W^1/2 K W^1/2``, whose eigenvalues are at least 1: K may be singular and
    needs no jitter (Rasmussen and Williams 2006, section 3.4).

    ``alpha`` (n,) is ``K^-1 f`` at the mode f: the latent mean at x is ``k(x)' alpha``. One of a
    similar problem may be given as the start.
    """

    def __init__(
        self, K: Floats, likelihood: OrdinalLikelihood, start: Floats | None = None
    ) -> None:
        self.K = K
        self._likelihood = likelihood
        self.alpha = np.zeros(len(K)) if start is None else start
        self.f: Floats = K @ self.alpha
        self.terms = likelihood.terms(self.f)
        for self.n_steps in range(MOST_STEPS):
            self._factorise()
            if not self._step():
                break
        log_determinant = 2.0 * np.log(np.diag(self._factor)).sum()
        self.log_evidence = float(self._objective() - log_determinant / 2.0)

    def variance(self, k: Floats) -> Floats:
        """Compute posterior variances (m,) of latent values by covariances (n, m) with samples."""
        half = solve_triangular(self._factor, self._root[:, None] * k, lower=True)
        return np.asarray(np.maximum(1.0 - (half**2).sum(axis=0), 0.0))

    def gradient(self, dK: Floats) -> tuple[float, float, Floats]:
        """Differentiate the log evidence, the mode moving along.

        ``dK`` (n, n) is the derivative of K by a parameter of the kernel, its diagonal zero. The
        derivatives are by that parameter, the logarithm of the noise and thresholds (r - 1,).
        """
        inverse = lapack.dpotri(self._factor, lower=True)[0]  # its lower half, B^-1
        variance = (1.0 - np.diag(inverse)) / self.terms.curvature
        by_f = variance * self._likelihood.third(self.terms) / 2.0
        moved = by_f - self._regularised(self.K @ by_f)
        by_log_noise, by_thresholds = self._likelihood.gradient(
            self.terms, by_slope=self.K @ moved, by_curvature=-variance / 2.0
        )
        trace = 2.0 * self._root @ np.einsum("ij,ij,j->i", inverse, dK, self._root)
        by_kernel = (self.alpha / 2.0 + moved) @ (dK @ self.alpha) - trace / 2.0
        return float(by_kernel), by_log_noise, by_thresholds

    def _factorise(self) -> None:
        self._root = np.sqrt(self.terms.curvature)
        B = self._root[:, None] * self.K * self._root
        B.flat[:: len(B) + 1] += 1.0
        # In Fortran's order the transpose of a symmetric matrix needs no copy.
        self._factor: Floats = cholesky(
            B.T, lower=True, overwrite_a=True, check_finite=False
        )

    def _regularised(self, right: Floats) -> Floats:
        """Multiply by ``(W^-1 + K)^-1``."""
        inner = cho_solve((self._factor, True), self._root * right, check_finite=False)
        return np.asarray(self._root * inner)

    def _objective(self) -> float:
        return float(self.terms.value.sum() - self.alpha @ self.f / 2.0)

    def _step(self) -> bool:
        """Take a Newton step; return False if there is nothing to gain."""
        target = self.terms.curvature * self.f + self.terms.slope
        direction = target - self._regularised(self.K @ target) - self.alpha
        f_direction = self.K @ direction
        expected_gain = float((self.terms.slope - self.alpha) @ f_direction)
        if expected_gain < CONVERGED:
            return False
        alpha, f, terms, before = self.alpha, self.f, self.terms, self._objective()
        size = 1.0
        while size > SHORTEST:
            self.alpha, self.f = alpha + size * direction, f + size * f_direction
            self.terms = self._likelihood.terms(self.f)
            if self._objective() > before + 1e-4 * size * expected_gain:
                return True
            size /= 2.0
        self.alpha, self.f, self.terms = alpha, f, terms
        return False
