"""Independent runs of a search, side by side."""
