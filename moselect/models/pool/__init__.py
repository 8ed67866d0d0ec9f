"""Ordinal stacking: base models combined by their out-of-fold predictions."""

from moselect.models.pool.ordinal_pool import OrdinalPool

__all__ = ["OrdinalPool"]
