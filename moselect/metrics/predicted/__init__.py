"""Measures of predicted classes."""
