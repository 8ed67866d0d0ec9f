"""Columns by name, and what every transformer must do to be used for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import has_fit_parameter

from moselect._types import Floats
from moselect.columns.model_columns import ModelColumns
from moselect.models import SplineColumns

ColumnKind = Literal["features", "splines", "models"]


def make_columns(
    columns: ColumnKind | Any = "features",
    *,
    cv: Any = 5,
    n_jobs: int | None = None,
    random_state: Any = None,
    labels: Sequence[Any] | None = None,
) -> Any:
    """Return a new transformer from a table to columns.

    Parameters
    ----------
    columns : {"features", "splines", "models"} or transformer, default="features"
        The features themselves; `SplineColumns`; `ModelColumns`; or one's own transformer, which
        is cloned.
    cv, n_jobs, random_state
        Of `ModelColumns`.
    labels : sequence, optional
        Class labels, lowest first.

    Returns
    -------
    transformer
        Not fitted.

    Raises
    ------
    ValueError
        If the name is unknown.
    TypeError
        If it is neither a name nor a transformer.

    Examples
    --------
    >>> make_columns("splines")
    SplineColumns()
    """
    if isinstance(columns, str):
        if columns == "features":
            return FunctionTransformer(feature_names_out="one-to-one")
        if columns == "splines":
            return SplineColumns(labels=labels)
        if columns == "models":
            return ModelColumns(cv=cv, n_jobs=n_jobs, random_state=random_state, labels=labels)
        raise ValueError(
            f"columns must be 'features', 'splines', 'models' or a transformer, not {columns!r}"
        )
    if isinstance(columns, type) or not (hasattr(columns, "fit") and hasattr(columns, "transform")):
        raise TypeError(
            f"columns is {columns!r}: it must be 'features', 'splines', 'models' or a transformer "
            "with fit and transform"
        )
    return clone(columns)


def fit_columns(
    transformer: Any, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
) -> Floats:
    """Fit a transformer and return the columns (n, q) to which a linear model may be fitted.

    Parameters
    ----------
    transformer : transformer
        As `make_columns` returns it.
    X : array-like of shape (n, p)
        Features.
    y : array-like of shape (n,)
        Ordinal labels.
    sample_weight : array-like of shape (n,), optional
        Weights of the samples, for transformers that take them.

    Raises
    ------
    ValueError
        If the columns have other rows than X, or are not finite numbers.

    Examples
    --------
    >>> fit_columns(make_columns("features"), [[1.0], [2.0]], [0, 1]).tolist()
    [[1.0], [2.0]]
    """
    given = {}
    if sample_weight is not None and has_fit_parameter(transformer, "sample_weight"):
        given = {"sample_weight": sample_weight}
    if hasattr(transformer, "fit_transform"):
        columns = transformer.fit_transform(X, y, **given)
    else:
        columns = transformer.fit(X, y, **given).transform(X)
    return _checked(columns, transformer, len(X))  # type: ignore[arg-type]


def apply_columns(transformer: Any, X: ArrayLike) -> Floats:
    """Return the columns (n, q) of new samples by a fitted transformer.

    Raises
    ------
    ValueError
        If the columns have other rows than X, or are not finite numbers.

    Examples
    --------
    >>> transformer = make_columns("features").fit([[1.0], [2.0]])
    >>> apply_columns(transformer, [[3.0]])
    array([[3.]])
    """
    return _checked(transformer.transform(X), transformer, len(X))  # type: ignore[arg-type]


def _checked(columns: Any, transformer: Any, n: int) -> Floats:
    name = type(transformer).__name__
    if hasattr(columns, "toarray"):  # sparse
        columns = columns.toarray()
    try:
        values = np.ascontiguousarray(columns, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} returns columns that are not numbers") from None
    if values.ndim != 2 or len(values) != n:
        raise ValueError(
            f"{name} returns shape {values.shape} for {n} rows: it must return one row for each"
        )
    if not values.shape[1]:
        raise ValueError(f"{name} returns no columns")
    if not np.isfinite(values).all():
        raise ValueError(f"{name} returns values that are missing or infinite")
    return values
