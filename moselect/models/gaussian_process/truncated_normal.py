"""The standard normal on an interval, exact however narrow the interval or far out in a tail."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from moselect._types import Floats

NEGLIGIBLE = 40.0  # a density exp(-40) times that at the mode adds nothing to a float
NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)


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
