"""The ordinal likelihood: class k is where the noisy latent value falls between b_{k-1} and b_k."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats, Integers = NDArray[np.float64], NDArray[np.int64]


FLATTEST = 1e-8  # share of the highest possible curvature: none falls below
NEGLIGIBLE = 40.0  # a density exp(-40) times that at the mode adds nothing to a float
NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)


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

    ``noise`` is sigma, the standard deviation of the noise.
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

        They are by the logarithm of the noise and by thresholds (r - 1,).
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


class TruncatedNormal(NamedTuple):
    """Standard normals truncated to intervals, each field of shape (n,).

    ``lower`` and ``upper`` are the ends, drawn in to where the density begins to matter;
    ``at_lower`` and ``at_upper`` the densities of the truncated variable there.
    """

    log_mass: Floats
    mean: Floats
    variance: Floats
    lower: Floats
    upper: Floats
    at_lower: Floats
    at_upper: Floats


def truncate_normal(lower: Floats, upper: Floats, width: Floats) -> TruncatedNormal:
    """Compute mass and moments of standard normals on intervals ``lower < upper``, (n,) each.

    Differences of distribution functions cancel in narrow intervals and vanish in the tails. Sums
    of the density over Gauss-Legendre nodes, as a multiple of its value at the mode, do neither.
    ``width`` is ``upper - lower``, of which rounding leaves nothing far out.
    """
    mode = np.clip(0.0, lower, upper)
    reach = 2.0 * NEGLIGIBLE / (np.abs(mode) + np.sqrt(mode**2 + 2.0 * NEGLIGIBLE))
    left = np.maximum(np.where(upper <= 0.0, -width, lower - mode), -reach)
    right = np.minimum(np.where(lower >= 0.0, width, upper - mode), reach)
    half = (right - left) / 2.0
    offsets = (left + right)[:, None] / 2.0 + half[:, None] * NODES
    shares = WEIGHTS * np.exp(-offsets * (offsets / 2.0 + mode[:, None]))
    mass = shares.sum(axis=1)
    shares /= mass[:, None]
    mass *= half
    shift = (shares * offsets).sum(axis=1)
    return TruncatedNormal(
        log_mass=np.log(mass) - mode**2 / 2.0 - np.log(2.0 * np.pi) / 2.0,
        mean=mode + shift,
        variance=(shares * (offsets - shift[:, None]) ** 2).sum(axis=1),
        lower=mode + left,
        upper=mode + right,
        at_lower=np.exp(-left * (left / 2.0 + mode)) / mass,
        at_upper=np.exp(-right * (right / 2.0 + mode)) / mass,
    )
