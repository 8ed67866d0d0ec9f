"""Additive models (GAM) for ordinal targets, and their term contributions."""
