"""The ordinal likelihood: class k is where the noisy latent value falls between b_{k-1} and b_k."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from moselect._types import Floats, Integers
from moselect.models.gaussian_process.truncated_normal import TruncatedNormal, truncate_normal

FLATTEST = 1e-8  # share of the highest possible curvature: none falls below


class Terms(NamedTuple):
    """Log-likelihood of each sample, its slope and minus its second derivative by f, (n,) each."""

    value: Floats
    slope: Floats
    curvature: Floats
    noise: TruncatedNormal


class OrdinalLikelihood:
    """``P(y = k | f) = Phi((b_k - f) / sigma) - Phi((b_{k-1} - f) / sigma)`` (eq. 1.7).

    Given f and y, the standardised noise is a standard normal truncated to the class: the slope of
    the log-likelihood is its mean, the curvature what its variance lacks to 1.

    Parameters
    ----------
    codes : ndarray of shape (n,)
        Class codes 0 .. r - 1.
    thresholds : ndarray of shape (r - 1,)
        Ascending.
    noise : float
        Sigma, the standard deviation of the noise.
    """

    def __init__(self, codes: Integers, thresholds: Floats, noise: float) -> None:
        ends = np.concatenate([[-np.inf], thresholds, [np.inf]])
        self._codes = codes
        self._lower, self._upper = ends[codes], ends[codes + 1]
        self._n_thresholds = len(thresholds)
        self._noise = noise

    def terms(self, f: Floats) -> Terms:
        """Compute value, slope and curvature at latent values (n,)."""
        ends = self._lower - f, self._upper - f, self._upper - self._lower
        noise = truncate_normal(*(end / self._noise for end in ends))
        curvature = np.maximum(1.0 - noise.variance, FLATTEST) / self._noise**2
        return Terms(noise.log_mass, noise.mean / self._noise, curvature, noise)

    def third(self, terms: Terms) -> Floats:
        """Compute the third derivatives of the log-likelihood by f, (n,)."""
        lower, upper = self._curvature_by_ends(terms.noise)
        return lower + upper

    def gradient(
        self, terms: Terms, by_slope: Floats, by_curvature: Floats
    ) -> tuple[float, Floats]:
        """Differentiate ``sum_i value_i + by_slope_i slope_i + by_curvature_i curvature_i``.

        Returns
        -------
        by_log_noise : float
        by_thresholds : ndarray of shape (r - 1,)
        """
        z = terms.noise
        lower, upper = self._curvature_by_ends(z)
        ends = [
            by_slope * -z.at_lower * (z.lower - z.mean) / self._noise**2
            + by_curvature * lower
            - z.at_lower / self._noise,
            by_slope * z.at_upper * (z.upper - z.mean) / self._noise**2
            + by_curvature * upper
            + z.at_upper / self._noise,
        ]
        # A scale common to f, thresholds and noise changes no value, divides slopes by itself and
        # curvatures by its square. Thresholds less f are the ends times the noise.
        by_log_noise = -(by_slope * terms.slope + 2.0 * by_curvature * terms.curvature)
        by_log_noise -= self._noise * (ends[0] * z.lower + ends[1] * z.upper)
        by_thresholds: Floats = np.zeros(self._n_thresholds + 2)
        np.add.at(by_thresholds, self._codes, ends[0])
        np.add.at(by_thresholds, self._codes + 1, ends[1])
        return float(by_log_noise.sum()), by_thresholds[1:-1]

    def _curvature_by_ends(self, z: TruncatedNormal) -> tuple[Floats, Floats]:
        """Compute the derivatives of the curvature by the thresholds below and above, (n,) each."""
        scale = self._noise**3
        return (
            z.at_lower * ((z.lower - z.mean) ** 2 - z.variance) / scale,
            -z.at_upper * ((z.upper - z.mean) ** 2 - z.variance) / scale,
        )
