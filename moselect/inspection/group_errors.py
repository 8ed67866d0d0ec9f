"""Errors of means by group, and the largest difference between groups."""

import numpy as np
from scipy.special import ndtri, stdtrit

from moselect._types import Floats

# Rows of the common mistakes that are added to each group.
N_ADDED = 4.0


def unseen_variances(moments: Floats, common: Floats, sizes: Floats) -> Floats:
    """Compute the variances (g,) that means of groups lack if few mistakes were seen.

    A group with few mistakes by chance has a small variance, too, so that it would differ
    from others too often. Some rows with the distribution of all groups are added to each
    (as successes and failures in Agresti & Coull 1998).

    Parameters
    ----------
    moments : ndarray of shape (2, g)
        Means and mean squares of groups.
    common : ndarray of shape (2,)
        The same of all rows.
    sizes : ndarray of shape (g,)
        Effective number of rows of each group.
    """
    weights = N_ADDED / (sizes + N_ADDED)
    means, squares = moments + weights * (common[:, None] - moments)
    return ((squares - means**2) - (moments[1] - moments[0] ** 2)) / sizes


def student_ratios(sizes: Floats, level: float) -> Floats:
    """Compute ratios (g,) of quantiles of Student's t and of a normal distribution.

    The quantiles are those of one of all pairs of g groups (Bonferroni).
    """
    pairs = max(1, len(sizes) * (len(sizes) - 1) // 2)
    upper = 1.0 - (1.0 - level) / (2.0 * pairs)
    return np.asarray(stdtrit(np.maximum(sizes - 1.0, 1.0), upper) / ndtri(upper))


def largest_difference(
    means: Floats, covariance: Floats, level: float
) -> tuple[int, int, float, float, float]:
    """Find the lowest and highest of some means, and an interval of the largest difference.

    The lower end allows for all pairs of groups: their greatest studentised difference is
    simulated (Tukey's range test, for unequal and correlated errors). The upper end is the
    highest one of the pairs that may be the highest and the lowest group, each on its own, as
    one of them is the right pair.
    """
    variances = covariance.diagonal()
    errors = np.sqrt(np.add.outer(variances, variances) - 2.0 * covariance)
    errors[~(errors > 0.0)] = np.inf
    gaps = np.subtract.outer(means, means)
    rng = np.random.default_rng(0)
    drawn = rng.multivariate_normal(np.zeros(len(means)), covariance, size=10_000)
    pairs = np.triu_indices(len(means), 1)
    drawn_gaps = np.abs(drawn[:, pairs[0]] - drawn[:, pairs[1]])
    greatest = (drawn_gaps / errors[pairs]).max(axis=1)
    lower = np.abs(gaps[pairs]) - errors[pairs] * np.quantile(greatest, level)
    # Groups within two standard errors of the highest or lowest value may have it.
    margin = 2.0
    highest = (gaps >= -margin * errors).all(axis=1)
    lowest = (gaps <= margin * errors).all(axis=1)
    may_be = np.outer(highest, lowest) & np.isfinite(errors)
    upper = (gaps + errors * ndtri((1.0 + level) / 2.0))[may_be].max()
    low, *_, high = np.argsort(means, kind="stable").tolist()
    return low, high, float(np.ptp(means)), max(0.0, float(lower.max())), float(upper)
