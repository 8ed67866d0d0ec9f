"""Standard errors of mean costs and of shares, widened by one unobserved mistake."""

import math
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from moselect._types import Array, Booleans, Floats, Integers, Number
from moselect.samples.duplicates import Features
from moselect.samples.samples import Samples
from moselect.samples.serial import block_widening
from moselect.samples.weights import effective_sample_size
from moselect.validation import ratios_or_zero


def standard_errors(influences: Floats) -> Floats:
    """Compute the standard errors (...) of means from the influences (..., n) on them."""
    n = influences.shape[-1]
    return influences.std(axis=-1, ddof=min(1, n - 1)) / np.sqrt(n)


def jackknife_errors(estimates: Floats) -> Floats:
    """Compute the jackknife standard errors (...) of estimates (k, ...), each without one fold."""
    return estimates.std(axis=0) * np.sqrt(len(estimates) - 1.0)


def cost_errors(influences: Floats, max_cost: float, samples: Samples) -> Floats:
    """Compute standard errors (...) of mean costs, widened by one unobserved mistake.

    ``influences`` (..., u) are per row or group; ``max_cost`` is the increase of the mean
    by one further mistake of maximum cost, on a single row, see `Priced.max_cost`: a
    rare mistake may be absent from a small sample by chance.
    """
    return np.hypot(widening(samples) * standard_errors(influences), max_cost)


def overlap_errors(errors: Floats, optimism: Floats, n_terms: float) -> Floats:
    """Widen cross-validated standard errors, because the training folds overlap.

    Rows of two folds meet twice: either is in training when the other is tested. Let e be
    the expected ``optimism`` (the cross-validated loss minus the loss in training) of a
    model with p parameters. The cross-validated loss minus the expected loss of the
    deployed model is a mean over the rows and, to second order, e (1 - Q / p), where Q is a
    chi-square variable with p degrees of freedom. The variance of the latter is 2 e^2 / p;
    one half is in the variance of the out-of-fold losses between rows. The other
    half is added; it equals the variance between rows where there is no signal at all, and
    is less otherwise.

    Parameters
    ----------
    errors, optimism : ndarray of shape (m,)
        Standard errors of objectives by the out-of-fold rows, and their optimism.
    n_terms : float
        Number of terms p of the model. Models without a known number (NaN), such as
        forests, may repeat their training rows: half of the greatest variance is added.
    """
    missing = np.minimum(optimism**2 / np.fmax(n_terms, 1.0), errors**2)
    if np.isnan(n_terms):
        missing /= 2.0
    return np.sqrt(errors**2 + missing)


def share_errors(share: Floats | float, variance: Floats | float, size: float) -> Floats:
    """Compute standard errors of shares, with one added success and failure.

    ``variance`` is estimated over independent rows or groups, ``size`` is the number of
    rows n. Two pseudo-observations increase the variance per row (Agresti & Coull 1998);
    without weights or groups, the standard error is the root of this variance over n.
    """
    unseen = smooth_variance(share, size) - share * (1.0 - share)
    return np.sqrt(np.maximum(variance + unseen / size, 0.0))


def smooth_variance(share: Floats | float, size: Array | float) -> Floats:
    """Compute p (1 - p) of shares of n rows, with one added success and failure."""
    smooth = np.divide(share * size + 1.0, size + 2.0)
    return smooth * (1.0 - smooth)


def effective_size(samples: Samples, among: Booleans) -> float:
    """Compute the effective number of rows in some classes (r,), at least 1.

    Total weight over the typical row weight, in the class where this is greatest.
    """
    heaviest = typical_weights(samples)[among].max() or 1.0
    return max(1.0, samples.class_weights[among].sum() / heaviest)


# the upper end of a 95 % interval
UPPER_LEVEL = 0.975


def interval(
    value: float,
    error: float,
    n_clusters: float = math.inf,
    least: float = -math.inf,
    most: float = math.inf,
) -> tuple[float, float, float]:
    """Return a value with the ends of its 95 % interval, within the values that are possible.

    Examples
    --------
    >>> interval(0.9, 0.1, most=1.0)
    (0.9, 0.704..., 1.0)
    """
    from scipy.special import stdtrit  # slow, and no prediction needs it

    margin = error * float(stdtrit(max(1, n_clusters - 1), UPPER_LEVEL))
    return value, max(least, value - margin), min(most, value + margin)


def widening(samples: Samples) -> float:
    """Compute the ratio of the 97.5 % quantiles of Student's t and a normal distribution.

    The ratio is 1 without groups. The variance between few groups is poorly estimated:
    for six groups the normal quantile 1.96 has to be replaced by 2.57, the quantile of t
    with five degrees of freedom. Blocks of consecutive rows are not quite independent.
    """
    of_blocks = block_widening(samples.n_units, samples.block_length)
    if samples.n_units == len(samples):
        return of_blocks
    return of_blocks * student_ratio(effective_units(samples), UPPER_LEVEL)


def effective_units(samples: Samples) -> float:
    """Compute the effective number of independent rows, or groups of unequal weight.

    A group with most of the weight leaves few degrees of freedom, however many others there
    are (Carter, Schnepel & Steigerwald 2017, Review of Economics and Statistics 99, 698-709).
    """
    if samples.n_units == len(samples) or np.isfinite(samples.block_length):
        return samples.n_units
    return effective_sample_size(np.bincount(samples.units, samples.weights))


def student_ratio(n_units: Any, level: float) -> Any:
    """Compute the ratio of a quantile of Student's t of n units to the normal quantile."""
    from scipy.special import ndtri, stdtrit  # slow, and no prediction needs it

    return stdtrit(np.maximum(n_units - 1, 1), level) / ndtri(level)


def sandwich(samples: Samples, squares: Number) -> Number:
    """Compute cluster-robust variances from sums of squares over rows or groups."""
    if samples.n_units == len(samples):
        return squares
    n_groups = effective_units(samples)
    return squares * widening(samples) ** 2 * n_groups / max(1.0, n_groups - 1.0)


def variance_of_models(shares: Floats, variance: Floats | float) -> Floats:
    """Estimate the variances (...) of shares between fold models.

    ``shares`` (k, ...) are per fold; ``variance`` (...) is the sampling variance of their
    mean. The variance between folds in excess of k times that is due to the models, and
    the model of all samples deviates from the mean of the fold models by 1 + 1/k times
    this excess. With a weak signal, probability thresholds do not transfer between
    models.
    """
    k = len(shares)
    if k < 2:
        return np.zeros_like(variance)
    between = shares.var(axis=0, ddof=1)
    return (1.0 + 1.0 / k) * np.maximum(between - k * variance, 0.0)


def variance_on_equal_rows(X: Features, parts: Floats, values: Array) -> float | None:
    """Estimate the variance of a share between fold models by rows with equal features.

    A fold model decides equally for rows with equal features, so its decision for a row of
    another fold is known if the fold has an equal one. The shares of all models on the
    same rows then vary without sampling error. With few distinct rows whole levels change
    their decision between models.

    Parameters
    ----------
    X : ndarray or DataFrame of shape (n, p)
        Features.
    parts : ndarray of shape (k, n)
        Weights of the rows of each fold, 0 for other rows.
    values : ndarray of shape (n,)
        1 for each row that counts, and 0 for others.

    Returns
    -------
    float or None
        As `variance_of_models`; None unless most rows have equal rows in other folds.
    """
    if X.shape[1] == 0:
        return None
    rows = pd.util.hash_pandas_object(pd.DataFrame(X), index=False).to_numpy()
    if 2.0 * parts[:, pd.Index(rows).duplicated(keep=False)].sum() <= parts.sum():
        return None
    totals = pd.DataFrame(parts.T).groupby(rows).sum()
    counted = pd.DataFrame((parts * values).T).groupby(rows).sum()
    weights = totals.sum(axis=1)
    recurs = (totals > 0.0).sum(axis=1) > 1
    if weights[recurs].sum() <= weights.sum() / 2.0:
        return None
    # Rows without an equal one in a fold take the mean of the other models.
    rates = (counted / totals).T.fillna(counted.sum(axis=1) / weights)
    shares = (rates * weights).sum(axis=1) / weights.sum()
    return float(variance_of_models(shares.to_numpy(), 0.0))


def typical_weights(samples: Samples) -> Floats:
    """Compute the weight-averaged sample weight of each class (r,).

    It is sum w^2 / sum w, the weight given to one further mistake. The total weight over
    it is the effective sample size (Kish 1965).
    """
    if samples.weights is None:
        return np.ones(samples.n_classes)
    masses = samples.class_weights
    squares = np.bincount(samples.codes, samples.weights**2, minlength=len(masses))
    return ratios_or_zero(squares, masses)


def max_mistakes(costs: Floats, samples: Samples) -> Floats:
    """Compute the cost (r,) of a further mistake of maximum cost in each class.

    It is on a sample of the typical weight, by costs (r, a). A referral is no mistake,
    whatever it costs.
    """
    return costs[:, : len(costs)].max(axis=1) * typical_weights(samples)


def class_deviations(samples: Samples, values: Array) -> Floats:
    """Compute jackknife deviations (n,) of values from the mean of their class.

    Known class shares weight ratios, sums of a class over its weight. A row or group with
    a share h of its class moves that mean by its deviation over 1 - h if it is left out.
    """
    weights = samples.sample_weight_or_ones
    cells = samples.codes * samples.n_units + samples.units
    masses = np.bincount(samples.codes, weights)
    means = ratios_or_zero(np.bincount(samples.codes, weights * values), masses)
    shares = np.bincount(cells, weights)[cells] / masses[samples.codes]
    # A group that is a class has no deviation.
    return (values - means[samples.codes]) / np.maximum(1.0 - shares, 1e-9)


def in_clusters(samples: Samples) -> Samples:
    """Replace groups by the clusters of cross-validation, and drop features."""
    return samples.without_features(groups=samples.cv_groups)


def bin_shares(bins: Integers, n_bins: int, samples: Samples) -> tuple[Floats, float]:
    """Estimate the shares of bins, and their effective sample size.

    Rao & Scott (1984, Annals of Statistics 12, 46-60): the covariance of shares p of n
    independent rows is (diag(p) - p p') / n; for weighted rows in clusters it is
    estimated by the sandwich. The ratio of their Frobenius norms is the design effect if
    that is equal for all bins, and a conservative value otherwise.
    """
    shares = (
        np.bincount(bins, samples.weights, n_bins) / samples.sample_weight_or_ones.sum()
    )
    n_clusters = samples.n_units
    if n_clusters == 1 or (samples.weights is None and n_clusters == len(samples)):
        return shares, float(n_clusters)
    is_in = np.arange(n_bins)[:, None] == bins
    influences = samples.sum_by_cluster(is_in - shares[:, None])
    clustered = np.linalg.norm(np.atleast_2d(np.cov(influences))) / n_clusters
    independent = np.linalg.norm(np.diag(shares) - np.outer(shares, shares))
    if not clustered > 0.0:  # all clusters in the same bins
        return shares, float(n_clusters)
    return shares, min(float(independent / clustered), float(len(samples)))


class Rate(NamedTuple):
    """A share of the rows of some classes.

    Attributes
    ----------
    share, error : float
        The share, and its standard error by independent rows or groups.
    size : float
        Effective number of rows: 0 without any, infinite if none is expected in use.

    Examples
    --------
    >>> samples = Samples(np.empty((4, 0)), np.array([0, 0, 1, 1]), np.array(["no", "yes"]))
    >>> rate_of(np.array([0.0, 0.0, 1.0, 0.0]), samples, np.array([False, True])).share
    0.5
    """

    share: float
    error: float
    size: float


def rate_of(
    counted: Array,
    samples: Samples,
    among: Booleans,
    known_shares: bool = False,
    folds: Integers | None = None,
) -> Rate:
    """Estimate the share of rows that count (n,), 1 or 0, among all of some classes (r,).

    With ``known_shares`` of the classes it varies within classes only; with ``folds`` (n,)
    its error includes the variance between their models.
    """
    codes = samples.codes
    weights = among[codes] * samples.sample_weight_or_ones
    total = float(weights.sum())
    if total == 0.0:  # no rows, or classes of prior 0
        return Rate(0.0, 0.0, math.inf if among[codes].any() else 0.0)
    share = float(weights @ counted) / total
    # The share is a ratio of sums over independent rows or groups: its variance is the
    # variance of the residuals (linearisation).
    deviations = class_deviations(samples, counted) if known_shares else counted - share
    residuals = np.bincount(samples.units, weights * deviations)
    variance = sandwich(samples, residuals @ residuals / total**2)
    size = effective_size(samples, among)
    error = float(share_errors(share, variance, size))
    if folds is None:
        return Rate(share, error, size)
    parts = weights * (folds == np.unique(folds[weights > 0.0])[:, None])
    models = variance_on_equal_rows(samples.X, parts, counted)
    if models is None:
        shares = parts @ counted / parts.sum(axis=1)
        models = float(variance_of_models(shares, error**2))
    return Rate(share, math.hypot(error, math.sqrt(models)), size)
