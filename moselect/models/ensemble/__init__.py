"""Ordinal stacking: base models combined by their out-of-fold predictions."""

from moselect.models.ensemble.ordinal_stacking import OrdinalStacking

__all__ = ["OrdinalStacking"]
