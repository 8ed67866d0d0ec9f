"""Cubic splines as piecewise polynomials, and factors of products, as formulas.

Splines are piecewise polynomials, evaluated in a fixed order of operations. scikit-learn and
scipy evaluate B-splines recursively. A polynomial a piece needs six additions and
multiplications instead, which a database repeats to the last bit.
"""

from collections.abc import Iterable
from math import factorial
from typing import NamedTuple

import numpy as np

from moselect._types import Floats
from moselect.preprocessing.terms import Curve, Standardised, Term

Factor = tuple[float, float]  # offset and slope of a standardised and clipped feature
PLAIN: Factor = (0.0, 1.0)

FURTHEST = 3.0  # standard deviations at which the factors of products are clipped


DEGREE = 3


class SplinePieces(NamedTuple):
    """Piecewise polynomials of one number on common breaks.

    Attributes
    ----------
    breaks : ndarray of shape (m,)
        Ascending; piece k holds from ``breaks[k - 1]`` (included) up to ``breaks[k]``.
    centres : ndarray of shape (m + 1,)
        Piece k is a polynomial of ``u = x - centres[k]``.
    coefficients : ndarray of shape (4, m + 1, n_splines)
        Highest power first.
    """

    breaks: Floats
    centres: Floats
    coefficients: Floats

    def values(self, column: Floats) -> Floats:
        """Evaluate the polynomials at numbers (n,), shape (n_splines, n)."""
        piece = np.searchsorted(self.breaks, column, side="right")
        u = column - self.centres[piece]
        highest, *others = self.coefficients.transpose(0, 2, 1)
        total = highest[:, piece]
        for power in others:
            total *= u
            total += power[:, piece]
        return total

    def terms(self, feature: Term) -> list[Term]:
        """Return the polynomials as formulas of the number's own, operation by operation."""
        breaks = tuple(self.breaks.tolist())
        centres = tuple(self.centres.tolist())
        return [
            Curve(feature, breaks, centres, tuple(map(tuple, spline.T.tolist())))
            for spline in np.moveaxis(self.coefficients, 2, 0)
        ]


# One piece without splines, for features that have none.
NO_SPLINES = SplinePieces(np.empty(0), np.zeros(1), np.empty((DEGREE + 1, 1, 0)))


def spline_pieces(knots: Floats, *, rising: bool = False) -> SplinePieces:
    """Return all cubic B-splines on knots but the last one, linear outside the knots.

    Parameters
    ----------
    knots : ndarray of shape (m,)
        Ascending, at least 2. The m + 1 splines equal scikit-learn's
        `SplineTransformer` with ``extrapolation="linear"`` and ``include_bias=False``.
    rising : bool, default=False
        Whether to return an integrated basis instead, of as many splines: sums of each
        B-spline and all later ones, which never fall (Ramsay 1988, Monotone regression
        splines in action, Statistical Science 3, 425-441).

    Examples
    --------
    >>> pieces = spline_pieces(np.array([0.0, 1.0]))
    >>> pieces.coefficients[-1, 1].round(3).tolist()  # at the first knot
    [0.167, 0.667, 0.167]
    """
    from scipy.interpolate import BSpline  # slow, and models without splines do without

    # Outside are as many more as the degree, as far apart as the two outermost ones.
    first = knots[1] - knots[0]
    last = knots[-1] - knots[-2]
    before = np.linspace(knots[0] - DEGREE * first, knots[0] - first, DEGREE)
    after = np.linspace(knots[-1] + last, knots[-1] + DEGREE * last, DEGREE)
    all_knots = np.concatenate([before, knots, after])
    spline = BSpline(all_knots, np.eye(len(knots) + DEGREE - 1), DEGREE)
    taylor = [
        spline(knots, nu=power) / factorial(power)
        for power in reversed(range(DEGREE + 1))
    ]
    cubic = np.array(taylor)
    # all but the last one; of sums, all but the sum of all, which is 1
    sums = np.cumsum(cubic[..., ::-1], axis=-1)[..., -2::-1]
    cubic = sums if rising else cubic[..., :-1]
    lines = cubic.copy()
    lines[:-2] = 0.0
    return SplinePieces(
        breaks=knots,
        centres=np.append(knots[0], knots),
        coefficients=np.concatenate([lines[:, :1], cubic[:, :-1], lines[:, -1:]], axis=1),
    )


def n_splines(knots: Floats) -> int:
    """Return the number of splines on some knots, one less than a basis of all."""
    return len(knots) + DEGREE - 2 if len(knots) else 0


def factor(scaled: Term, offset: float, slope: float) -> Curve:
    """Return the factor of a product as a formula of the standardised feature."""
    low = offset - slope * FURTHEST
    high = offset + slope * FURTHEST
    lines = (0.0, low), (slope, offset), (0.0, high)
    return Curve(scaled, (-FURTHEST, FURTHEST), (0.0, 0.0, 0.0), lines)


def standardised(terms: Iterable[Term], centre: Floats, scale: Floats) -> list[Term]:
    """Standardise terms by their means and standard deviations."""
    numbers = zip(terms, centre.tolist(), scale.tolist(), strict=True)
    return [Standardised(term, mean, deviation) for term, mean, deviation in numbers]
