"""The ordinal Gaussian process of Chu and Ghahramani (2005)."""

from moselect.models.gaussian_process.estimator import OrdinalGaussianProcess

__all__ = ["OrdinalGaussianProcess"]
