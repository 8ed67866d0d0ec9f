"""Features as one array of finite numbers, whose scale floating point can work with."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Literal

import narwhals
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Booleans, Floats
from moselect._validation import check_unmasked
from moselect.listing import listing

LARGEST = 1e150  # values above it leave no room for sums of products
SMALLEST = 1e-140  # the variance of a smaller range is 0 to what standardises features
INVERTIBLE = 1e-300  # the inverse of a smaller range is not a number any more
EXHAUSTED = 1e-11  # range by largest value: at most five of sixteen digits differ


def feature_names(X: ArrayLike | pd.DataFrame) -> tuple[str, ...] | None:
    """Return the names of the columns of a DataFrame; None for what has no names."""
    return tuple(map(str, X.columns)) if hasattr(X, "columns") else None


def feature_matrix(
    X: ArrayLike | pd.DataFrame,
    names: Sequence[str] | None = None,
    n_features: int | None = None,
) -> Floats:
    """Return X as finite floats of shape (n, p), columns in the order of ``names``.

    No copy is made of what is an array of floats already.

    Raises
    ------
    ValueError
        If a column is missing, is text, or holds NaN or infinite values, or there are not
        ``n_features``.

    Examples
    --------
    >>> feature_matrix(pd.DataFrame({"a": [1, 2], "b": [3, 4]}), names=["b", "a"])
    array([[3., 1.],
           [4., 2.]])
    """
    if hasattr(X, "columns") and not isinstance(X, pd.DataFrame):  # polars and others have names
        table: Any = X
        X = narwhals.from_native(table, eager_only=True).to_pandas()
    if isinstance(X, pd.DataFrame):
        columns = [str(name) for name in X.columns]
        for name in columns:
            if columns.count(name) > 1:
                raise ValueError(f"two columns are called {name!r}: rename or drop one")
        if names is not None:
            missing = [name for name in names if name not in columns]
            if missing:
                raise ValueError(f"column {missing[0]!r} is missing: the model needs {list(names)}")
            X, columns = X.iloc[:, [columns.index(name) for name in names]], list(names)
        for name, kind in zip(columns, X.dtypes, strict=True):
            if not pd.api.types.is_numeric_dtype(kind) or pd.api.types.is_complex_dtype(kind):
                raise ValueError(f"column {name!r} is not numeric: encode or drop it")
        values = X.to_numpy(dtype=np.float64, na_value=np.nan)
    else:
        check_unmasked("X", X)
        given = np.asarray(X)
        try:
            casting: Literal["unsafe", "safe"] = "unsafe" if given.dtype == object else "safe"
            values = given.astype(np.float64, casting=casting, copy=False)
        except (TypeError, ValueError):
            raise ValueError(
                f"X holds {given.dtype}, not numbers: encode text, fill missing values"
            ) from None
        if values.ndim != 2:
            raise ValueError(f"X has shape {values.shape}: give one row a sample (n, p)")
        columns = [str(j) for j in range(values.shape[1])]
        if names is not None and len(names) != len(columns):
            raise ValueError(f"X has {len(columns)} features, but the model needs {len(names)}")
    if not np.isfinite(values).all():
        bad = (int((~np.isfinite(column)).sum()) for column in values.T)
        name, rows = next((name, rows) for name, rows in zip(columns, bad, strict=True) if rows)
        raise ValueError(
            f"column {name!r} has {rows} missing or infinite values: fill or drop them"
        )
    if n_features is not None and values.shape[1] != n_features:
        raise ValueError(f"X has {values.shape[1]} features, but the model needs {n_features}")
    return values


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


def _named(which: Booleans, names: Sequence[str] | None) -> str:
    indices = np.flatnonzero(which).tolist()
    return listing([str(names[j]) if names is not None else str(j) for j in indices], limit=5)
