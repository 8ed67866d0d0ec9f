"""The ordinal Gaussian process of Chu and Ghahramani (2005)."""
