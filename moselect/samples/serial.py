"""Serial dependence: consecutive samples that resemble each other, and blocks of them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from moselect._types import Floats, Integers
from moselect.samples.duplicates import equal_rows
from moselect.samples.samples import Samples

# Share of the variance that persists from sample to sample.
SHARES = np.array([0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9])[:, None]
# Least Bayes factor of dependence: of independent rows in 1 % of tables of 200 to
# 500 rows, and less often in larger ones (experiments/coverage).
MIN_BAYES_FACTOR = 3.0
MIN_BLOCKS = 4  # Student's t with fewer degrees of freedom has no useful quantiles


def correlation_length(values: Floats | Integers) -> float:
    """Estimate the correlation length of a series (n,), in values; 0 if they are independent.

    The model is independent noise and a share of the variance with autocorrelation
    exp(-lag / length). The likelihood uses the squares of a cosine transform, whose
    coefficients are nearly independent (Whittle 1953, Arkiv foer Matematik 2, 423-434). The
    estimate is the posterior mean over lengths 1, 2, 4, ... up to half of the series and
    shares of the variance, with equal prior probabilities.

    Examples
    --------
    >>> correlation_length(np.random.default_rng(0).normal(size=500))
    0.0
    >>> correlation_length(np.arange(500) // 50 % 2) > 10.0
    True
    """
    from scipy.fft import dct  # slow, and no prediction needs it

    n = len(values)
    if n < MIN_BLOCKS or np.ptp(values) == 0.0:
        return 0.0
    power = dct(np.asarray(values, float), norm="ortho")[1:] ** 2
    power /= power.mean()
    cosines = np.cos(np.pi * np.arange(1, n) / n)
    lengths = 2.0 ** np.arange(np.floor(np.log2(n)))
    # over the likelihood of independent values, which is 1
    log_likelihoods = np.empty((len(lengths), len(SHARES)))
    for j, phi in enumerate(np.exp(-1.0 / lengths)):
        persistent = (1.0 - phi**2) / (1.0 - 2.0 * phi * cosines + phi**2)
        density = 1.0 - SHARES + SHARES * persistent
        fit = (n - 1) * np.log((power / density).mean(axis=1))
        log_likelihoods[j] = -0.5 * (fit + np.log(density).sum(axis=1))
    highest = log_likelihoods.max()
    likelihoods = np.exp(log_likelihoods - highest)
    if np.log(likelihoods.mean()) + highest < np.log(MIN_BAYES_FACTOR):
        return 0.0
    return float(lengths @ likelihoods.sum(axis=1) / likelihoods.sum())


def in_order(samples: Samples) -> Integers:
    """Return the independent samples or groups (u,) in the order of their times, or rows."""
    first = np.unique(samples.units, return_index=True)[1]
    if samples.times is None:
        return np.argsort(first)
    # Samples of the same time have no order, whatever the order of the file.
    shuffled = np.random.default_rng(0).permutation(len(first))
    return shuffled[np.argsort(samples.times[first[shuffled]], kind="stable")]


def series_of(samples: Samples, values: Floats | Integers) -> Floats:
    """Average values (n,) by independent sample or group, in order (u,)."""
    units = samples.units
    return (np.bincount(units, values) / np.bincount(units))[in_order(samples)]


def order_length(samples: Samples, residuals: Floats) -> float:
    """Estimate the correlation length of rows without times, in their given order.

    A table may be sorted by class or by a feature, and its rows be independent all the
    same. Residuals (n,) of the class from its expectation given the features do not depend
    on each other if rows are sorted by a feature, apart from what the model does not fit of
    that, and residuals within a class do not if they are sorted by class: 0 unless both do,
    or if rows are the cells of a table, one after another.
    """
    codes = samples.codes
    if (np.diff(codes) >= 0).all() or (np.diff(codes) <= 0).all():
        return 0.0
    means = np.bincount(codes, residuals) / np.maximum(np.bincount(codes), 1)
    series = [residuals, residuals - means[codes]]
    lengths = _lengths(samples, series)
    if not all(lengths):
        return 0.0
    remaining = _lengths(samples, _without_sorted_columns(samples, series))
    if not all(remaining):
        return 0.0
    # Equal rows of a class may all stand together, at least two on average.
    cells = equal_rows(samples.observed) * samples.n_classes + samples.codes
    n_cells = len(np.unique(cells))
    n_runs = 1 + np.count_nonzero(np.diff(cells))
    if n_runs == n_cells <= len(cells) / 2:
        return 0.0
    return min(max(lengths), max(remaining))


def _lengths(samples: Samples, series: Sequence[Floats]) -> list[float]:
    """Estimate the correlation length of each series (n,)."""
    return [correlation_length(series_of(samples, values)) for values in series]


# Bins of a sorted column, in which residuals of a smooth effect vary little: in more rows less
# variation is found.
MIN_BINS = 10
ROWS_OF_BIN = 500
MOST_PLACES = 5  # of the rows of a value, in a table that is sorted by it


def _without_sorted_columns(
    samples: Samples, series: Sequence[Floats]
) -> Sequence[Floats]:
    """Subtract from each series (n,) its means in bins of columns that depend on the order."""
    table = pd.DataFrame(samples.observed)
    n_bins = max(MIN_BINS, len(table) // ROWS_OF_BIN)
    ordered = []
    for name in table:
        column = table[name]
        values = column if is_numeric_dtype(column) else pd.factorize(column)[0]
        places = pd.Series(values).rank(pct=True, na_option="bottom").to_numpy()
        bins = np.floor(places * n_bins).astype(int)
        centred = series_of(samples, bins - bins.mean())
        # Rows may be sorted by the distance from a typical value, too.
        if correlation_length(centred) or correlation_length(centred**2):
            ordered.append(bins)
    # Last a column by which the table is sorted: those of others would add to its means.
    ordered.sort(
        key=lambda b: np.count_nonzero(np.diff(b)) < MOST_PLACES * len(np.unique(b))
    )
    for bins in ordered:
        sizes = np.maximum(np.bincount(bins), 1)
        series = [rest - (np.bincount(bins, rest) / sizes)[bins] for rest in series]
    return series


def in_blocks(samples: Samples, length: float) -> Samples:
    """Replace samples or groups by blocks of consecutive ones, as nearly independent groups.

    Blocks of a series of n values are L^(2/3) n^(1/3) long, if the correlation length L is not 0:
    longer ones are fewer, shorter ones less independent. L is at most half of the series.
    """
    n = samples.n_units
    length = min(length, n / 2.0)
    n_blocks = n
    if length:
        n_blocks = max(MIN_BLOCKS, round((n / length) ** (2 / 3)))
    if n_blocks >= n:
        return samples
    blocks = np.empty(n, int)
    blocks[in_order(samples)] = np.arange(n) * n_blocks // n
    groups = blocks[samples.units]
    return replace(samples, groups=groups, block_length=n / n_blocks / length)


def block_widening(n_blocks: int, block_length: float) -> float:
    """Compute the factor of the standard error from means of blocks, which are correlated.

    ``block_length`` is in correlation lengths, infinite for independent groups.
    """
    if np.isinf(block_length) or n_blocks < MIN_BLOCKS:
        return 1.0
    lengths = block_length * np.array([1.0, n_blocks])
    # variance of means over variance of values, as of an integral
    of_block, of_all = 2.0 / lengths + 2.0 * np.expm1(-lengths) / lengths**2
    return np.sqrt(of_all * (n_blocks - 1) / (of_block - of_all))
