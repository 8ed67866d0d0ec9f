"""Fitted spline and product columns; they do not import scikit-learn, which is slow.

Splines are piecewise polynomials, evaluated in a fixed order of operations. scikit-learn and
scipy evaluate B-splines recursively. A polynomial a piece needs six additions and
multiplications instead, which a database repeats to the last bit.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import factorial
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from moselect._types import Floats, Table
from moselect.preprocessing.terms import Curve, Product, Standardised, Term
from moselect.tables.features import feature_matrix, feature_signs, names_or_numbers

Names = NDArray[np.object_]
Factor = tuple[float, float]  # offset and slope of a standardised and clipped feature
PLAIN: Factor = (0.0, 1.0)

KEPT = ("pairs", "centre", "scale", "column_centre", "column_scale")
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

    def evaluate(self, column: Floats) -> Floats:
        """Compute ``((c_3 u + c_2) u + c_1) u + c_0`` in this order, (n, n_splines)."""
        piece = np.searchsorted(self.breaks, column, side="right")
        u = (column - self.centres[piece])[:, None]
        total = self.coefficients[0, piece]
        for power in self.coefficients[1:]:
            total *= u
            total += power[piece]
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
    >>> pieces.evaluate(np.array([0.0])).round(3).tolist()
    [[0.167, 0.667, 0.167]]
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


class FittedSplines:
    """Spline basis of features and products of pairs of them, as `SplineColumns` fits them."""

    knots_: list[Floats]
    pairs_: NDArray[np.int64]
    signs_: NDArray[np.int64]
    centre_: Floats
    scale_: Floats
    column_centre_: Floats
    column_scale_: Floats
    terms_: NDArray[np.int64]
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]  # only of named features
    document_name = "splines"

    def transform(self, X: Table) -> Floats:
        """Compute the columns, shape (n, q), standardised by the moments of ``fit``."""
        names = getattr(self, "feature_names_in_", None)
        return self.columns_of(feature_matrix(X, names, self.n_features_in_))

    def _names(self, input_features: Sequence[str] | None) -> Names:
        known = getattr(self, "feature_names_in_", input_features)
        return np.array(names_or_numbers(known, self.n_features_in_), dtype=object)

    def columns_of(self, values: Floats) -> Floats:
        """Compute the columns (n, q) of validated features (n, p)."""
        columns = self._raw_columns(values)
        columns -= self.column_centre_
        columns /= self.column_scale_
        return columns

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> Names:
        """Return the names of the columns, shape (q,)."""
        names = self.get_term_names(input_features)
        columns = []
        products = zip(names[len(self.knots_) :], self.factors(), strict=True)
        for name, knots in zip(names, self.knots_, strict=False):  # and then pairs
            columns.append(name)
            columns += [f"spline({name}, {k})" for k in range(1, n_splines(knots) + 1)]
        for name, factors in products:
            columns += [name, f"{name}, mirrored"][: len(factors)]
        return np.array(columns, dtype=object)

    def get_term_names(self, input_features: Sequence[str] | None = None) -> Names:
        """Return the names of the terms, features and then pairs, shape (p + n_pairs,)."""
        names = self._names(input_features)
        pairs = [f"{names[i]} * {names[j]}" for i, j in self.pairs_]
        return np.array([*names, *pairs], dtype=object)

    def sum_terms(self, weighted: Floats) -> Floats:
        """Add up the weighted columns (n, q) of each term, shape (n, p + n_pairs)."""
        starts = np.flatnonzero(np.diff(self.terms_, prepend=-1))
        return np.add.reduceat(weighted, starts, axis=1)

    @property
    def summary(self) -> str:
        """Description of the transformation, a sentence."""
        return (
            f"Features become cubic curves ({sum(map(len, self.knots_)):,} knots in all) and "
            f"{len(self.pairs_)} products of two of them, each with mean 0 and standard "
            "deviation 1."
        )

    def terms(self, features: tuple[Term, ...]) -> tuple[Term, ...]:
        """Return the output columns as formulas, given the formulas of the features."""
        raw: list[Term] = []
        for feature, pieces in zip(features, self.pieces(), strict=True):
            raw.append(feature)
            raw += pieces.terms(feature)
        scaled = _standardised(features, self.centre_, self.scale_)
        for (i, j), factors in zip(self.pairs_.tolist(), self.factors(), strict=True):
            raw += [
                Product(_factor(scaled[i], *first), _factor(scaled[j], *second))
                for first, second in factors
            ]
        return tuple(_standardised(raw, self.column_centre_, self.column_scale_))

    @property
    def column_signs_(self) -> NDArray[np.int64]:
        """Sign of each column's weight that keeps the directions, 0 for any; shape (q,)."""
        bound = self.signs_[self.pairs_].any(axis=1).astype(np.int64)
        return np.append(self.signs_, bound)[self.terms_]

    @property
    def groups_(self) -> NDArray[np.int64]:
        """Group of each column: 0 feature, 1 spline, 2 product; shape (q,)."""
        is_first = np.diff(self.terms_, prepend=-1) > 0
        return np.where(self.terms_ >= len(self.knots_), 2, np.where(is_first, 0, 1))

    def to_document(self) -> dict[str, Any]:
        """Serialise the fitted transformer as JSON-compatible plain values."""
        names = getattr(self, "feature_names_in_", None)
        return {
            "columns": self.document_name,
            "features": None if names is None else list(map(str, names)),
            "knots": [knots.tolist() for knots in self.knots_],
            **{name: getattr(self, f"{name}_").tolist() for name in KEPT},
            **({"signs": self.signs_.tolist()} if self.signs_.any() else {}),
        }

    @classmethod
    def from_document(cls, content: Mapping[str, Any]) -> Self:
        """Return the transformer that a document describes, the same to the last bit."""
        columns = cls()
        columns.knots_ = [np.array(knots, dtype=np.float64) for knots in content["knots"]]
        columns.n_features_in_ = len(columns.knots_)
        columns.pairs_ = np.array(content["pairs"], dtype=np.int64).reshape(-1, 2)
        columns.signs_ = feature_signs(content.get("signs"), None, len(columns.knots_))
        columns._set_terms()
        for name in KEPT[1:]:
            setattr(columns, f"{name}_", np.array(content[name], dtype=np.float64))
        if content["features"] is not None:
            columns.feature_names_in_ = np.array(content["features"], dtype=object)
        return columns

    def _set_terms(self) -> None:
        p = len(self.knots_)
        sizes = [1 + n_splines(knots) for knots in self.knots_]
        sizes += map(len, self.factors())
        self.terms_ = np.repeat(np.arange(p + len(self.pairs_)), sizes)

    def _raw_columns(self, values: Floats) -> Floats:
        """Compute the columns (n, q) before standardisation."""
        parts = []
        for column, pieces in zip(values.T, self.pieces(), strict=True):
            parts.append(column[:, None])
            parts.append(pieces.evaluate(column))
        Z = np.clip((values - self.centre_) / self.scale_, -FURTHEST, FURTHEST)
        products = [
            (first[0] + first[1] * Z[:, i]) * (second[0] + second[1] * Z[:, j])
            for (i, j), factors in zip(self.pairs_.tolist(), self.factors(), strict=True)
            for first, second in factors
        ]
        return np.hstack([*parts, *(product[:, None] for product in products)])

    def pieces(self) -> list[SplinePieces]:
        """Return the splines of each feature, which rise where it has a direction."""
        return [
            spline_pieces(knots, rising=sign != 0) if len(knots) else NO_SPLINES
            for knots, sign in zip(self.knots_, self.signs_.tolist(), strict=True)
        ]

    def factors(self) -> list[list[tuple[Factor, Factor]]]:
        """Return the factors of the products of each pair: one product, or two.

        Weighted by at least 0, the two of a pair with a direction give any bilinear
        function that keeps it: in its feature, turned to rise and at least 0, times the
        other feature at least 0 and the same mirrored; or, of two features with
        directions, their product, and the negative product of both mirrored.
        """
        factors = []
        for first, second in self.signs_[self.pairs_].tolist():
            a = first or 1.0
            b = second or 1.0
            rising = (FURTHEST, a), (FURTHEST, b)
            if not (first or second):
                factors.append([(PLAIN, PLAIN)])
            elif first and second:
                factors.append([rising, ((FURTHEST, -a), (-FURTHEST, b))])
            else:  # the factor without a direction is mirrored
                mirrored = (FURTHEST, a if first else -a), (FURTHEST, b if second else -b)
                factors.append([rising, mirrored])
        return factors


def _factor(scaled: Term, offset: float, slope: float) -> Curve:
    """Return the factor of a product as a formula of the standardised feature."""
    low = offset - slope * FURTHEST
    high = offset + slope * FURTHEST
    lines = (0.0, low), (slope, offset), (0.0, high)
    return Curve(scaled, (-FURTHEST, FURTHEST), (0.0, 0.0, 0.0), lines)


def _standardised(terms: Iterable[Term], centre: Floats, scale: Floats) -> list[Term]:
    numbers = zip(terms, centre.tolist(), scale.tolist(), strict=True)
    return [Standardised(term, mean, deviation) for term, mean, deviation in numbers]
