"""Models that are sums of curves, and how to read them."""
