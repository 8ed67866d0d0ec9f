"""Checks of the scale of features: numbers that floating point cannot tell apart or square."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from moselect._types import Floats
from moselect.datasets.listing import listing

LARGEST = 1e150  # values above it leave no room for sums of products
SMALLEST = 1e-140  # the variance of a smaller range is 0 to what standardises features
INVERTIBLE = 1e-300  # the inverse of a smaller range is not a number any more
EXHAUSTED = 1e-11  # range by largest value: at most five of sixteen digits differ


def check_feature_scale(
    values: Floats, names: Sequence[str] | None = None, smallest: float = SMALLEST
) -> None:
    """Raise ValueError if a feature is too large or too small to compute with.

    Parameters
    ----------
    values : ndarray of shape (n, p)
        Finite features.
    names : sequence of str, optional
        Their names, for the message.
    smallest : float
        Smallest range of a feature, unless it is constant.

    Examples
    --------
    >>> check_feature_scale(np.array([[1.0, 1e200], [2.0, 3.0]]), ["age", "cost"])
    Traceback (most recent call last):
    ValueError: columns are too large (values above 1e+150): cost; rescale them
    """
    largest, ranges = _largest(values), _ranges(values)
    for what, wrong, limit in (
        ("large (values above", largest > LARGEST, LARGEST),
        ("small (a range below", (ranges > 0.0) & (ranges < smallest), smallest),
    ):
        if wrong.any():
            found = _named(wrong, names)
            raise ValueError(f"columns are too {what} {limit:g}): {found}; rescale them")


def warn_of_exhausted_digits(values: Floats, names: Sequence[str] | None = None) -> None:
    """Warn of features that differ in their last digits only; parameters as above.

    An example are times in nanoseconds since 1970: models weigh them against rounding errors.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_of_exhausted_digits(np.array([[1e15], [1e15 + 1]]), ["time"])
    >>> "time" in str(caught[0].message)
    True
    """
    ranges = _ranges(values)
    exhausted = (ranges > 0.0) & (ranges < EXHAUSTED * _largest(values))
    if exhausted.any():
        warnings.warn(
            f"columns differ in their last digits only: {_named(exhausted, names)}; subtract a "
            "constant from them where they have more digits, or what they say may be lost",
            UserWarning,
            stacklevel=3,
        )


def warn_of_exhausted_columns(table: Any) -> None:
    """Do as `warn_of_exhausted_digits` with the columns of numbers in a table; gaps do not count.

    Examples
    --------
    >>> import warnings
    >>> table = pd.DataFrame({"vehicle": ["car", "van"], "time": [1e15, 1e15 + 1]})
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_of_exhausted_columns(table)
    >>> "time" in str(caught[0].message)
    True
    """
    ends = []
    for name, column in pd.DataFrame(table).items():
        kind = column.dtype
        if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind):
            numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
            numbers = numbers[np.isfinite(numbers)]
            if len(numbers):
                ends.append((str(name), numbers.min(), numbers.max()))
    values = np.array([(low, high) for _, low, high in ends]).reshape(-1, 2).T
    warn_of_exhausted_digits(values, [name for name, *_ in ends])


def _largest(values: Floats) -> Floats:
    return np.maximum(values.max(axis=0, initial=0.0), -values.min(axis=0, initial=0.0))


def _ranges(values: Floats) -> Floats:
    with np.errstate(over="ignore"):  # an infinite range is a large one
        return np.asarray(np.ptp(values, axis=0) if len(values) else np.zeros(values.shape[1]))


def _named(which: NDArray[np.bool_], names: Sequence[str] | None) -> str:
    indices = np.flatnonzero(which).tolist()
    return listing([str(names[j]) if names is not None else str(j) for j in indices], limit=5)
