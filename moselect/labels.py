"""Class labels in their order, and the class codes that stand for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect._types import Integers

__all__ = [
    "Integers",
    "as_label_array",
    "class_labels",
    "encode",
    "encode_labels",
    "is_ordered_categorical",
    "union_classes",
]

TABLE_SIZE = 1 << 16  # integer labels that span less than this are coded by look-up


def class_labels(
    y: ArrayLike | pd.Series,
    labels: Sequence[Any] | NDArray[Any] | None = None,
    *,
    keep_unused: bool = False,
) -> NDArray[Any]:
    """Return the classes of ``y`` in their order, lowest first.

    Parameters
    ----------
    y : array-like of shape (n,)
        Labels: numbers, an ordered Categorical, or strings whose order ``labels`` gives.
    labels : sequence, optional
        All classes, lowest first. A class without samples may be among them.
    keep_unused : bool, default=False
        Whether the categories of an ordered Categorical that no sample has are classes, too.

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
    plain = y.to_numpy() if isinstance(y, pd.Series) and isinstance(y.dtype, np.dtype) else y
    if labels is None and type(plain) is np.ndarray and plain.ndim == 1:
        counts, lowest = _count_integers(plain)
        if counts is not None:
            return (np.flatnonzero(counts) + lowest).astype(plain.dtype)
    values = _as_series(y)
    if labels is not None:
        return _given_classes(labels)
    if is_ordered_categorical(values):
        used = values if keep_unused else values.cat.remove_unused_categories()
        return np.asarray(used.cat.categories)
    if isinstance(values.dtype, pd.CategoricalDtype):
        values = pd.Series(np.asarray(values))
    if values.dtype.kind not in "fiub":
        found = ", ".join(sorted({str(v) for v in values})[:6])
        raise ValueError(
            f"labels without a known order ({found}): give labels=[lowest, ..., highest] "
            "or an ordered Categorical"
        )
    return np.asarray(np.unique(np.asarray(values)))


def encode_labels(y: ArrayLike | pd.Series, classes: NDArray[Any]) -> Integers:
    """Return the index ``0, ..., r - 1`` of each label in ``classes``.

    Parameters
    ----------
    y : array-like of shape (n,)
        Labels.
    classes : ndarray of shape (r,)
        All classes, lowest first.

    Returns
    -------
    ndarray of int64, shape (n,)

    Raises
    ------
    ValueError
        If ``y`` has a label that is not among ``classes``.

    Examples
    --------
    >>> encode_labels([3, 1, 7], np.array([1, 3, 7]))
    array([1, 0, 2])
    """
    values, classes = as_label_array(y), as_label_array(classes)
    codes = _look_up(values, classes)
    if codes is None:
        if {values.dtype.kind, classes.dtype.kind} == {"i", "u"}:  # no 64-bit type holds both
            values, classes = values.astype(object), classes.astype(object)
        codes = np.asarray(pd.Index(classes).get_indexer(pd.Index(values)), dtype=np.int64)
    if len(codes) and codes.min() < 0:
        at = np.flatnonzero(codes < 0)
        unknown = sorted({str(v) for v in values[at]})
        known = ", ".join(str(c) for c in classes)
        raise ValueError(
            f"unknown label {', '.join(unknown[:6])}: the classes are {known} "
            f"(first at position {at[0]})"
        )
    return codes


def encode(
    y: ArrayLike | pd.Series,
    labels: Sequence[Any] | NDArray[Any] | None = None,
    *,
    keep_unused: bool = False,
) -> tuple[NDArray[Any], Integers]:
    """Return the classes of ``y``, lowest first, and the index of each label among them.

    Parameters and errors are those of `class_labels`; an empty ``y`` is an error, too.

    Examples
    --------
    >>> encode([30, 10, 20, 30])
    (array([10, 20, 30]), array([2, 0, 1, 2]))
    """
    classes = class_labels(y, labels, keep_unused=keep_unused)
    if np.shape(y) == (0,):
        raise ValueError("y_true is empty: there is nothing to measure")
    if labels is None and is_ordered_categorical(y):
        categorical = pd.Series(y).cat
        indices = pd.Index(classes).get_indexer(categorical.categories)
        return classes, np.asarray(indices, dtype=np.int64)[categorical.codes]
    return classes, encode_labels(y, classes)


def union_classes(first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:
    """Return all classes of two arrays, ascending.

    Examples
    --------
    >>> union_classes(np.array([1, 3]), np.array([2, 3]))
    array([1, 2, 3])
    """
    if {first.dtype.kind, second.dtype.kind} == {"i", "u"}:  # which NumPy would make floats
        return as_label_array(sorted({*first.tolist(), *second.tolist()}))
    return np.union1d(first, second)


def as_label_array(y: Any) -> NDArray[Any]:
    """Return labels as an array in which different labels are different.

    Integers stay integers where NumPy would round them to floats; types of float that pandas
    cannot look up become float64.

    Raises
    ------
    ValueError
        If an entry is masked, or integers need more than 64 bits.

    Examples
    --------
    >>> as_label_array([2**63, 2**63 + 1])
    array([9223372036854775808, 9223372036854775809], dtype=uint64)
    """
    if isinstance(y, np.ma.MaskedArray) and np.ma.is_masked(y):
        raise ValueError(
            f"labels are masked, the first at position {np.flatnonzero(np.ma.getmaskarray(y))[0]}: "
            "drop those rows"
        )
    values = np.asarray(y)
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    if values.dtype.kind == "f" and values.dtype.itemsize not in (4, 8):
        return values.astype(np.float64)
    if isinstance(y, list | tuple | range) and values.dtype.kind in "fO" and len(y):
        if not all(isinstance(label, int) for label in y):
            return values
        if min(y) < 0 or max(y) >= 1 << 64:
            raise ValueError(f"integer labels from {min(y)} to {max(y)} need more than 64 bits")
        return np.array(y, dtype=np.uint64)
    return values


def is_ordered_categorical(y: Any) -> bool:
    """Return whether ``y`` is an ordered Categorical, which knows the order of all classes."""
    dtype = getattr(y, "dtype", None)
    return isinstance(dtype, pd.CategoricalDtype) and bool(dtype.ordered)


def _as_series(y: ArrayLike | pd.Series) -> pd.Series:
    """Return labels as a Series of the same dtype; refuse tables and missing labels."""
    if not isinstance(y, pd.Series | pd.Categorical):
        y = as_label_array(y)
        if y.ndim != 1:
            raise ValueError(f"labels must be one-dimensional, but their shape is {y.shape}")
    values = pd.Series(y)
    if values.dtype == np.float16:
        values = values.astype(np.float64)
    missing = np.flatnonzero(values.isna())
    if len(missing):
        raise ValueError(
            f"{len(missing)} of {len(values)} labels are missing (NaN), "
            f"the first at position {missing[0]}: drop those rows"
        )
    return values


def _given_classes(labels: Sequence[Any] | NDArray[Any]) -> NDArray[Any]:
    given = as_label_array(labels)
    if given.ndim != 1 or len(given) == 0:
        raise ValueError("labels must be a non-empty sequence of classes, lowest first")
    if len(set(given.tolist())) < len(given):
        raise ValueError(f"labels names a class twice: {given.tolist()}")
    return given


def _count_integers(values: NDArray[Any]) -> tuple[NDArray[np.int64] | None, int]:
    """Count each integer from the lowest on, if these are integers of a small span."""
    span = _integer_span(values)
    if span is None:
        return None, 0
    return np.bincount(values.astype(np.int64) - span[0]), span[0]


def _look_up(values: NDArray[Any], classes: NDArray[Any]) -> Integers | None:
    """Encode integers by a look-up table, -1 where unknown; None if it would be too large."""
    spans = _integer_span(values), _integer_span(classes)
    if spans[0] is None or spans[1] is None:
        return None
    lowest = min(spans[0][0], spans[1][0])
    size = max(spans[0][1], spans[1][1]) - lowest + 1
    if size > TABLE_SIZE:
        return None
    offsets, known = values.astype(np.int64) - lowest, classes.astype(np.int64) - lowest
    if size == len(classes) and (known == np.arange(size)).all():
        return np.asarray(offsets)
    table = np.full(size, -1, dtype=np.int64)
    table[known] = np.arange(len(classes))
    return table[offsets]


def _integer_span(values: NDArray[Any]) -> tuple[int, int] | None:
    """Return the lowest and highest of integers of a small span that fit int64."""
    if values.dtype.kind not in "iu" or len(values) == 0:
        return None
    lowest, highest = int(values.min()), int(values.max())
    if highest - lowest >= TABLE_SIZE or highest > np.iinfo(np.int64).max:
        return None
    return lowest, highest
