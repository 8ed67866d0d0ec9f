"""Linear rules: direction and thresholds fitted to a decision loss."""
