"""Cut a numeric target into classes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Floats
from moselect.validation import check_all_finite, check_choice

DEFAULT_BINS = 5


def bin_target(
    values: ArrayLike | pd.Series,
    bins: int | None = None,
    binning: str | Sequence[float] = "uniform",
) -> pd.Series:
    """Cut a numeric target into classes ``1, ..., r``, lowest values first.

    Parameters
    ----------
    values : array-like of shape (n,)
        Finite numbers. A Series passes its index and name on.
    bins : int, optional
        Number of classes, at least 2; 5 unless given, or the number of priors.
    binning : {"uniform", "quantile"} or sequence of float
        ``"uniform"``: bins of equal width, closed on the right, as `pandas.cut` makes
        them. ``"quantile"``: classes of equal size, as far as ties allow: equal values
        are one class. Class priors, lowest class first: the sorted values are cut where
        the cumulative share, rounded to whole samples, is reached. The cut is by rank
        (equal values in their order in the data), so that class sizes come out exactly
        and a run of equal values may be split. If the priors sum to less than 1, the
        largest values are left out.

    Returns
    -------
    Series of shape (n,), dtype Int64
        Classes; ``pd.NA`` where a value is left out. ``attrs["bin_edges"]`` has the r - 1 cut
        points: a value at one is of the lower class, unless equal values were split.

    Raises
    ------
    ValueError
        If a value is no finite number, ``bins`` is below 2 or differs from the number
        of priors, priors are not positive or sum to more than 1, or a class would be
        empty.

    Examples
    --------
    >>> bin_target([0.0, 1.0, 2.0, 10.0], bins=2).tolist()
    [1, 1, 1, 2]
    >>> bin_target([0.0, 1.0, 2.0, 10.0], bins=2, binning="quantile").tolist()
    [1, 1, 2, 2]
    >>> bin_target([0.0, 1.0, 2.0, 10.0], binning=[0.5, 0.25]).tolist()
    [1, 1, 2, <NA>]
    """
    series = values if isinstance(values, pd.Series) else pd.Series(np.asarray(values))
    numbers = series.to_numpy(float, na_value=np.nan)
    check_all_finite("values", numbers)
    if bins is not None and bins < 2:
        raise ValueError(f"bins must be at least 2, not {bins}")
    if isinstance(binning, str):
        n_classes = DEFAULT_BINS if bins is None else bins
        edges = _edges(numbers, n_classes, binning)
        classes = 1 + np.searchsorted(edges, numbers, side="left")
    else:
        priors = _checked_priors(binning, bins)
        n_classes = len(priors)
        # By rank: samples beyond the priors get one class more.
        ends = np.rint(len(numbers) * np.cumsum(priors))
        ranks = pd.Series(numbers).rank(method="first") - 1.0
        classes = 1 + np.searchsorted(ends, ranks, side="right")
        edges = np.array(
            [numbers[classes == k].max(initial=-np.inf) for k in range(1, n_classes)]
        )
    sizes = np.bincount(classes, minlength=n_classes + 1)[1 : n_classes + 1]
    if not sizes.all():
        raise ValueError(
            f"class {1 + np.argmin(sizes)} of {n_classes} is empty: give fewer "
            "bins, or another binning (binning=quantile, or larger class priors)"
        )
    binned = pd.Series(classes, index=series.index, name=series.name, dtype="Int64")
    binned = binned.mask(binned > n_classes)
    binned.attrs["bin_edges"] = edges.tolist()
    return binned


def bins_option(values: ArrayLike | pd.Series) -> str:
    """Return the parameters for binning into classes of at least two rows.

    Examples
    --------
    >>> bins_option([0.0, 0.5, 1.0, 1.2, 8.0, 9.0] * 2), bins_option([1, 2, 2, 3, 900] * 2)
    ('bins=5 binning=quantile', 'bins=3 binning=quantile')
    """
    for bins in range(DEFAULT_BINS, 1, -1):
        for binning, option in (("uniform", ""), ("quantile", " binning=quantile")):
            with suppress(ValueError):
                if bin_target(values, bins, binning).value_counts().min() > 1:
                    return f"bins={bins}{option}"
    return "bins=2"


def _edges(numbers: Floats, n_classes: int, binning: str) -> Floats:
    """Return the upper bin edges, except the last."""
    if check_choice("binning", binning, ("uniform", "quantile")) == "uniform":
        return np.linspace(numbers.min(), numbers.max(), n_classes + 1)[1:-1]
    last_ranks = -(-np.arange(1, n_classes) * len(numbers) // n_classes) - 1  # rounded up
    return np.sort(numbers)[last_ranks]


SUM_TOLERANCE = 1e-9  # for rounding of the sum


def _checked_priors(binning: Sequence[float], bins: int | None) -> Floats:
    priors = np.asarray(binning, float)
    if not (
        (priors > 0.0).all() and priors.sum() <= 1.0 + SUM_TOLERANCE
    ):  # false for NaN
        raise ValueError(
            f"class priors must be positive and sum to at most 1: {priors.tolist()}"
        )
    if bins not in (None, len(priors)):
        raise ValueError(
            f"bins={bins}, but {len(priors)} class priors are given: omit bins"
        )
    return priors
