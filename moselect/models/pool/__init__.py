"""Several models of different kinds, pooled by their out-of-fold predictions."""

from moselect.models.pool.ordinal_pool import OrdinalPool

__all__ = ["OrdinalPool"]
