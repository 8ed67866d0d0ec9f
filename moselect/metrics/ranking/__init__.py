"""Measures of rankings of samples by scores."""
