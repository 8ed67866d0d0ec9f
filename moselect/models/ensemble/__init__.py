"""Ordinal stacking: base models combined by their out-of-fold predictions."""
