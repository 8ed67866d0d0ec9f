"""The one place where class labels become class codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

Codes = NDArray[np.int64]


def class_labels(y: ArrayLike | pd.Series, labels: Sequence[Any] | None = None) -> NDArray[Any]:
    """Give the classes of ``y`` in their order, lowest first.

    Parameters
    ----------
    y : array-like of shape (n,)
        Labels: numbers, an ordered Categorical, or strings whose order ``labels`` gives.
    labels : sequence, optional
        All classes, lowest first. A class without objects may be among them.

    Returns
    -------
    ndarray of shape (r,)

    Raises
    ------
    ValueError
        If labels are missing, of no known order, or not among ``labels``.

    Examples
    --------
    >>> class_labels([3, 1, 3, 7])
    array([1, 3, 7])
    >>> class_labels(["mid", "low"], labels=["low", "mid", "high"]).tolist()
    ['low', 'mid', 'high']
    """
    values = pd.Series(y if isinstance(y, pd.Series | pd.Categorical) else np.asarray(y))
    if values.isna().any():
        missing = int(values.isna().sum())
        raise ValueError(f"{missing} of {len(values)} labels are missing (NaN): drop those rows")
    if labels is not None:
        given = np.asarray(labels)
        if given.ndim != 1 or len(given) == 0:
            raise ValueError("labels must be a non-empty sequence of classes, lowest first")
        if len(set(given.tolist())) < len(given):
            raise ValueError(f"labels names a class twice: {given.tolist()}")
        return given
    if isinstance(values.dtype, pd.CategoricalDtype):
        if values.cat.ordered:
            return np.asarray(values.cat.remove_unused_categories().cat.categories)
        values = pd.Series(np.asarray(values))
    if not (pd.api.types.is_numeric_dtype(values) or pd.api.types.is_bool_dtype(values)):
        found = ", ".join(sorted({str(v) for v in values})[:6])
        raise ValueError(
            f"labels without a known order ({found}): give labels=[lowest, ..., highest] "
            "or an ordered Categorical"
        )
    return np.asarray(np.unique(np.asarray(values)))


def encode_labels(y: ArrayLike | pd.Series, classes: NDArray[Any]) -> Codes:
    """Replace labels by their places ``0 .. r - 1`` in ``classes``.

    Raises
    ------
    ValueError
        If ``y`` has a label that is not among ``classes``.

    Examples
    --------
    >>> encode_labels([3, 1, 7], np.array([1, 3, 7]))
    array([1, 0, 2])
    """
    codes = pd.Index(classes).get_indexer(pd.Index(np.asarray(y)))
    if (codes < 0).any():
        unknown = sorted({str(v) for v in np.asarray(y)[codes < 0]})
        known = ", ".join(str(c) for c in classes)
        raise ValueError(f"unknown label {', '.join(unknown[:6])}: the classes are {known}")
    return np.asarray(codes, dtype=np.int64)
