"""Standard errors of mean costs and of shares, with one more mistake than was seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from moselect._types import Booleans, Floats
from moselect.samples import Samples

LEVEL = 0.975  # the upper end of a 95 % interval


def standard_errors(influences: Floats) -> Floats:
    """Compute the standard errors (...) of means from the influences (..., n) on them."""
    n = influences.shape[-1]
    return np.asarray(influences.std(axis=-1, ddof=min(1, n - 1)) / np.sqrt(n))


def cost_errors(influences: Floats, dearest: float, samples: Samples) -> Floats:
    """Compute standard errors (...) of mean costs, as if one more mistake were seen.

    ``influences`` (..., u) are those of rows or groups, ``dearest`` is what one more of
    the dearest mistakes adds to the mean, see `Goal.dearest`: no mistake among few rows
    does not prove that there is none. It is a mistake on a row, not on a group of rows.
    """
    return np.asarray(np.hypot(widening(samples) * standard_errors(influences), dearest))


def share_errors(share: Any, variance: Any, size: float) -> Any:
    """Compute standard errors of shares, as if one row more of each kind were seen.

    ``variance`` is that of independent rows or groups, ``size`` the number of rows n: with
    two more the variance of a row is greater (Agresti & Coull 1998). Without weights or
    groups, the standard error is the root of that over n.
    """
    unseen = smooth_variance(share, size) - share * (1.0 - share)
    return np.sqrt(np.maximum(variance + unseen / size, 0.0))


def smooth_variance(share: Any, size: float) -> Any:
    """Return p (1 - p) of shares of n rows, with two rows more, one of each kind."""
    smooth = (share * size + 1.0) / (size + 2.0)
    return smooth * (1.0 - smooth)


def effective_size(samples: Samples, among: Booleans) -> float:
    """Return how many rows of some classes (r,) weigh as much as all of theirs, at least 1.

    A row has the typical weight of the class in which it is the greatest.
    """
    heaviest = float(typical_weights(samples)[among].max()) or 1.0
    return max(1.0, float(np.asarray(samples.class_weights)[among].sum()) / heaviest)


def widening(samples: Samples) -> float:
    """Return how much further Student's t reaches than a normal distribution.

    That is 1 without groups. The variance between few groups is hardly known: 1.96 errors
    of six groups cover as much as 2.57, the quantile of t with five degrees of freedom.
    """
    if samples.groups is None:
        return 1.0
    from scipy.stats import norm  # slow, and no prediction needs it
    from scipy.stats import t as student

    degrees = max(1, samples.n_units - 1)
    return float(student.ppf(LEVEL, degrees) / norm.ppf(LEVEL))


def sandwich(samples: Samples, squares: Any) -> Any:
    """Return the variance from sums of squares over independent rows or groups."""
    if samples.groups is None:
        return squares
    n_groups = samples.n_units
    return squares * widening(samples) ** 2 * n_groups / max(1, n_groups - 1)


def variance_of_models(shares: Floats, variance: Any) -> Any:
    """Estimate the variances (...) of shares by models that differ.

    The ``shares`` (k, ...) are those of k folds, ``variance`` (...) is that of their mean
    by the samples. Beyond k times that, the models of the folds differ, and the model of
    all samples differs from their mean as another one would: by 1 + 1/k times what is
    between them. Where the signal is weak, cuts of probabilities do not transfer.
    """
    k = len(shares)
    if k < 2:
        return np.zeros_like(variance)
    between = shares.var(axis=0, ddof=1)
    return (1.0 + 1.0 / k) * np.maximum(between - k * variance, 0.0)


def typical_weights(samples: Samples) -> Floats:
    """Return the weight of the sample that a unit of weight of each class belongs to, (r,).

    It is sum w^2 / sum w: one more mistake is worth that where few samples weigh much. The
    total of all weights over it is the effective sample size (Kish 1965).
    """
    if samples.weights is None:
        return np.ones(samples.n_classes)
    masses = np.asarray(samples.class_weights)
    squares = np.bincount(samples.codes, samples.weights**2, minlength=len(masses))
    return np.divide(squares, masses, out=np.zeros_like(squares), where=masses > 0.0)


def class_means(samples: Samples, values: Floats) -> Floats:
    """Return for each sample the weighted mean of the values (n,) of its class."""
    weights = samples.each_weight
    masses = np.bincount(samples.codes, weights)
    sums = np.bincount(samples.codes, weights * values)
    means = np.divide(sums, masses, out=np.zeros_like(sums), where=masses > 0.0)
    return np.asarray(means[samples.codes])
