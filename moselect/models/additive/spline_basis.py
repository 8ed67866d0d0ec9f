"""Cubic splines of one feature, without the one that is redundant beside the feature itself."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import SplineTransformer

Floats = NDArray[np.float64]

DEGREE = 3


def n_splines(knots: Floats) -> int:
    """Return the number of splines on some knots, one less than a basis of all cubic splines."""
    return len(knots) + DEGREE - 2 if len(knots) else 0


def spline_basis(column: Floats, knots: Floats) -> Floats:
    """Compute the cubic splines (n, k) on some knots, linear outside."""
    transformer = SplineTransformer(
        degree=DEGREE, knots=knots[:, None], extrapolation="linear", include_bias=False
    )
    basis = transformer.fit(knots[:, None]).transform(column[:, None])
    return np.asarray(basis, dtype=np.float64)
