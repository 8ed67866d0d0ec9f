"""Scorecards: points for conditions, and their search."""
