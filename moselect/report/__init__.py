"""Reports of a selection."""
