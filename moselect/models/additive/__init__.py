"""Models that are sums of curves, and how to read them."""

from moselect.models.additive.additive_odds import AdditiveOdds
from moselect.models.additive.shapes import (
    Curve,
    ProductMap,
    Shapes,
    contributions,
    model_shapes,
    term_contributions,
)
from moselect.models.additive.spline_columns import (
    FURTHEST,
    SplineColumns,
    spline_columns_from_document,
    spline_document,
)
from moselect.models.additive.spline_pieces import SplinePieces, spline_pieces

__all__ = [
    "FURTHEST",
    "AdditiveOdds",
    "Curve",
    "ProductMap",
    "Shapes",
    "SplineColumns",
    "SplinePieces",
    "contributions",
    "model_shapes",
    "spline_columns_from_document",
    "spline_document",
    "spline_pieces",
    "term_contributions",
]
