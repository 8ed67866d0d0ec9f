"""Multi-objective model selection for ordinal targets."""

__version__ = "0.1.0"
