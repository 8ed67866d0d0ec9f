"""A result in words."""
