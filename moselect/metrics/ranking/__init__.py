"""Measures of scores: how well they rank samples of ordered classes."""
