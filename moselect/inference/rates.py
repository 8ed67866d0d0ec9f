"""Shares of rows that count among those of some classes, with their errors."""

import math
from typing import NamedTuple

import numpy as np

from moselect._types import Booleans, Floats, Integers
from moselect.inference.standard_errors import (
    class_means,
    effective_size,
    sandwich,
    share_errors,
    variance_of_models,
    variance_on_equal_rows,
)
from moselect.samples.samples import Samples


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
    counted: Floats,
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
    weights = np.where(among[codes], samples.sample_weight_or_ones, 0.0)
    total = float(weights.sum())
    if total == 0.0:  # no rows, or classes of prior 0
        return Rate(0.0, 0.0, math.inf if among[codes].any() else 0.0)
    share = float(weights @ counted) / total
    # The share is a ratio of sums over independent rows or groups: its variance is the
    # variance of the residuals (linearisation).
    expected = class_means(samples, counted) if known_shares else share
    residuals = np.bincount(samples.units, weights * (counted - expected))
    variance = sandwich(samples, residuals @ residuals / total**2)
    size = effective_size(samples, among)
    error = float(share_errors(share, variance, size))
    if folds is None:
        return Rate(share, error, size)
    parts = weights * (folds == np.unique(folds[weights > 0.0])[:, None])
    models = variance_on_equal_rows(samples.X, parts, counted)
    if models is None:
        shares = parts @ counted / parts.sum(axis=1)
        models = variance_of_models(shares, error**2)
    return Rate(share, math.hypot(error, math.sqrt(models)), size)
