"""The order of the class labels in a target column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from moselect.datasets.listing import listing

MOST_LABELS = 50  # more different numbers than this are taken for a measurement
LARGEST_WHOLE = 2.0**53  # every larger float is whole, so being whole says nothing


def order_labels(
    values: pd.Series, order: Sequence[object] | None
) -> tuple[pd.Series, tuple[Any, ...]]:
    """Find the order of the labels in a complete target column.

    Parameters
    ----------
    values : Series of shape (n,)
        Labels without missing values.
    order : sequence, optional
        All labels, lowest first, compared as text. Without it numbers, text that reads as whole
        numbers, and booleans are ordered by value and ordered categories by their own order.

    Returns
    -------
    values : Series of shape (n,)
        The labels: int64, bool, or an ordered Categorical.
    labels : tuple
        The different labels in the data, lowest first.

    Raises
    ------
    TypeError
        If ``order`` is not a sequence of labels.
    ValueError
        If no order is known, ``order`` is not exactly that of the labels, numbers are
        continuous, or there is one label only.

    Examples
    --------
    >>> y, labels = order_labels(pd.Series(["low", "high", "low"]), ["low", "high"])
    >>> labels
    ('low', 'high')
    >>> y.cat.codes.tolist()
    [0, 1, 0]
    """
    values = _plain(values)
    if order is not None:
        values = _ordered_as_given(values, order)
    elif not isinstance(values.dtype, pd.CategoricalDtype):
        values = _ordered_by_value(values)
    labels: tuple[Any, ...]
    if isinstance(values.dtype, pd.CategoricalDtype):
        values = values.cat.remove_unused_categories()
        labels = tuple(values.cat.categories.tolist())
    else:
        labels = tuple(np.unique(values.to_numpy()).tolist())
    if len(labels) < 2:
        raise ValueError(
            f"target '{values.name}' has the one label {labels[0]}: two or more are needed"
        )
    return values, labels


def _plain(values: pd.Series) -> pd.Series:
    """Return unordered categories as their values, and whole numbers as int64."""
    kind = values.dtype
    if isinstance(kind, pd.CategoricalDtype) and not kind.ordered:
        values = values.astype(kind.categories.dtype)
    return values.astype("int64") if _all_whole(values) else values


def _all_whole(values: pd.Series) -> bool:
    if pd.api.types.is_integer_dtype(values.dtype):
        return True
    if not pd.api.types.is_float_dtype(values.dtype):
        return False
    numbers = values.to_numpy(dtype=np.float64)
    return bool(np.all((numbers == np.rint(numbers)) & (np.abs(numbers) < LARGEST_WHOLE)))


def _ordered_by_value(values: pd.Series) -> pd.Series:
    if pd.api.types.is_bool_dtype(values.dtype):
        return values.astype(bool)
    if not pd.api.types.is_numeric_dtype(values.dtype):
        values = _read_as_whole_numbers(values)
    distinct = values.drop_duplicates()
    if not _all_whole(values):
        raise ValueError(
            f"target '{values.name}' is continuous ({listing(distinct, limit=3)}): cut it into "
            "classes with bins (--bins 5)"
        )
    if len(distinct) > MOST_LABELS:
        raise ValueError(
            f"target '{values.name}' has {len(distinct)} different numbers, more than "
            f"{MOST_LABELS}: cut it into classes with bins (--bins 5)"
        )
    return values


def _read_as_whole_numbers(values: pd.Series) -> pd.Series:
    text = values.astype(str)
    if text.str.fullmatch(r"[+-]?\d{1,15}").all():
        return text.astype("int64")
    raise ValueError(
        f"target '{values.name}' has labels without a known order: "
        f"{listing(values.drop_duplicates())}; give their order, lowest first "
        "(--order low,mid,high)"
    )


def _ordered_as_given(values: pd.Series, order: Sequence[object]) -> pd.Series:
    if isinstance(order, str) or not isinstance(order, Sequence):
        raise TypeError(f"order must be a list of labels, lowest first, not {order!r}")
    given = [str(label) for label in order]
    present = {str(label): label for label in values.drop_duplicates()}
    repeated = [label for label in dict.fromkeys(given) if given.count(label) > 1]
    unlisted = [label for label in present if label not in given]
    absent = [label for label in given if label not in present]
    for problem, labels in (
        ("repeats labels", repeated),
        (f"lacks labels of target '{values.name}'", unlisted),
        (f"has labels that target '{values.name}' does not have", absent),
    ):
        if labels:
            raise ValueError(
                f"order {problem}: {listing(labels)}; list each label in the data once, lowest "
                f"first (--order low,mid,high; the labels are {listing(present, limit=20)})"
            )
    kind = pd.CategoricalDtype([present[label] for label in given], ordered=True)
    return values.astype(kind)
