"""Models that are sums of curves, and how to read them."""

from moselect.models.additive.additive_odds import AdditiveOdds
from moselect.models.additive.shapes import (
    Curve,
    ProductMap,
    Shapes,
    contributions,
    model_shapes,
)
from moselect.models.additive.spline_columns import SplineColumns

__all__ = [
    "AdditiveOdds",
    "Curve",
    "ProductMap",
    "Shapes",
    "SplineColumns",
    "contributions",
    "model_shapes",
]
