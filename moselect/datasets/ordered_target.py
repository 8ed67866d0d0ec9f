"""A target column and the order of its labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from moselect.labels import as_label_array
from moselect.listing import listing, order_option, short
from moselect.scales import recognise_scale

FEW_GRADES = 12  # such as 1, 1.5, 2
# more different labels than this are taken for a measurement or free text
MOST_LABELS = 50
FEW_ROWS = 5  # of a class, each of which is to be in a fold of its own
LARGEST_WHOLE = 2.0**53  # every larger float is whole, so being whole says nothing


@dataclass(frozen=True, eq=False)
class OrderedTarget:
    """A target (n,) of integers, booleans or ordered categories, and its labels."""

    values: pd.Series
    labels: tuple[Any, ...]  # the different ones in the data, lowest first
    notes: tuple[str, ...] = ()


def order_target(
    values: pd.Series, order: Sequence[object] | None = None
) -> OrderedTarget:
    """Find the order of the labels in a complete target column.

    ``order`` has all labels, lowest first, compared as text; "a+b" merges two. Without it
    numbers, text that reads as whole numbers, and booleans are ordered by value, ordered
    categories by their own order, and text by the well-known scale that it belongs to,
    such as low, medium, high. Blanks around labels do not count.
    """
    name, notes = short(values.name), []
    values = _plain(values)
    distinct = values.drop_duplicates().tolist()
    padded = [repr(label) for label in distinct if label != _trimmed(label)]
    if padded:
        notes.append(f"blanks around labels of '{name}' left out: {listing(padded, 3)}")
        values = _without_blanks(values)
    is_ordered = isinstance(values.dtype, pd.CategoricalDtype)
    if order is not None:
        values = _ordered_as_given(values, order)
    elif not is_ordered:
        values = _ordered_by_value_or_scale(values)
    labels = np.unique(values.to_numpy()).tolist()
    if isinstance(values.dtype, pd.CategoricalDtype):
        values = values.cat.remove_unused_categories()
        labels = values.cat.categories.tolist()
        if order is None and not is_ordered:
            shown = listing(labels, limit=MOST_LABELS)
            notes.append(
                f"labels of '{name}' in their usual order, lowest first: {shown}"
            )
    if len(labels) < 2:
        raise ValueError(
            f"target '{name}' has the one label {listing(labels)}: two or more are needed"
        )
    counts = [int((values == label).sum()) for label in labels]
    tiny = next((j for j, count in enumerate(counts) if count < FEW_ROWS), None)
    if tiny is not None and len(labels) > 2:
        notes.append(_merging(labels, counts, tiny))
    return OrderedTarget(values, tuple(labels), tuple(notes))


def _merging(labels: list[Any], counts: list[int], tiny: int) -> str:
    """Offer to merge a class of few rows with its smaller neighbour."""
    other = min({tiny - 1, tiny + 1} & set(range(len(labels))), key=lambda j: counts[j])
    low = min(tiny, other)
    merged = f"{labels[low]}+{labels[low + 1]}"
    option = order_option([*labels[:low], merged, *labels[low + 2 :]])
    rows = f"{counts[tiny]} row{'s' * (counts[tiny] > 1)}"
    return (
        f"class '{short(labels[tiny])}' has {rows}, so figures for new data are unsure: to merge "
        f"it with '{short(labels[other])}', {option}"
    )


def _plain(values: pd.Series) -> pd.Series:
    """Return unordered categories and objects as values, whole numbers as integers."""
    kind = values.dtype
    if isinstance(kind, pd.CategoricalDtype) and not kind.ordered:
        values = values.astype(kind.categories.dtype)
    if values.dtype == object:
        values = pd.Series(as_label_array(values), values.index, name=values.name)
    if not _all_whole(values):
        return values
    return values.astype("uint64" if values.max() >= 2**63 else "int64")


def _trimmed(label: Any) -> Any:
    return label.strip() if isinstance(label, str) else label


def _without_blanks(values: pd.Series) -> pd.Series:
    """Return labels without blanks around them, in their own order if they have one."""
    trimmed = values.astype(object).map(_trimmed)
    if not isinstance(values.dtype, pd.CategoricalDtype):
        return trimmed
    names = dict.fromkeys(map(_trimmed, values.cat.categories))
    return trimmed.astype(pd.CategoricalDtype(list(names), ordered=True))


def _all_whole(values: pd.Series) -> bool:
    if pd.api.types.is_integer_dtype(values.dtype):
        return True
    if not pd.api.types.is_float_dtype(values.dtype):
        return False
    numbers = values.to_numpy(dtype=np.float64)
    return bool(np.all((numbers == np.rint(numbers)) & (np.abs(numbers) < LARGEST_WHOLE)))


def _ordered_by_value_or_scale(values: pd.Series) -> pd.Series:
    if pd.api.types.is_bool_dtype(values.dtype):
        return values.astype(bool)
    if not pd.api.types.is_numeric_dtype(values.dtype):
        text = values.astype(str)
        if not text.str.fullmatch(r"[+-]?\d{1,15}").all():
            return _ordered_by_scale(text)
        values = text.astype("int64")
    distinct = values.drop_duplicates()
    if not _all_whole(values):
        grades = order_option(sorted(distinct))
        also = f", or name its grades ({grades})" if len(distinct) <= FEW_GRADES else ""
        raise ValueError(
            f"target '{short(values.name)}' is continuous ({listing(distinct, limit=3)}): cut it "
            f"into classes with bins (--bins 5){also}"
        )
    if len(distinct) > MOST_LABELS:
        raise ValueError(
            f"target '{short(values.name)}' has {len(distinct)} different numbers, more than "
            f"{MOST_LABELS}: cut it into classes with bins (--bins 5)"
        )
    return values


def _ordered_by_scale(text: pd.Series) -> pd.Series:
    present = sorted(text.drop_duplicates())
    if len(present) > MOST_LABELS:
        raise ValueError(
            f"target '{short(text.name)}' has {len(present)} different labels of text "
            f"({listing(present, limit=3)}): name another column (--target)"
        )
    labels = recognise_scale(present) if len(present) > 1 else present
    if labels is None:
        raise ValueError(
            f"target '{short(text.name)}' has labels without a known order: copy this with the "
            f"labels in their order, lowest first: {order_option(present)}"
        )
    return text.astype(pd.CategoricalDtype(labels, ordered=True))


def _ordered_as_given(values: pd.Series, order: Sequence[object]) -> pd.Series:
    if isinstance(order, str) or not isinstance(order, Sequence):
        raise TypeError(f"order must be a list of labels, lowest first, not {order!r}")
    labels = [str(label).strip() for label in order]
    # 1 and "1", of two columns one of which has "3+", too
    if values.drop_duplicates().map(str).duplicated().any():
        values = values.map(str)
    for label in labels:
        parts = label.split("+")
        if len(parts) > 1 and set(parts) <= set(values.drop_duplicates().map(str)):
            values = values.map(str).replace(parts, label)
    present = {str(label): label for label in values.drop_duplicates()}
    named = dict.fromkeys([*labels, *present])
    wrong = [label for label in named if labels.count(label) != (label in present)]
    if wrong:
        raise ValueError(
            f"order must name each of the {len(present)} labels of target '{short(values.name)}' "
            f"once, which it does not for {listing(wrong)}: {order_option(sorted(present))}"
        )
    kind = pd.CategoricalDtype([present[label] for label in labels], ordered=True)
    return values.astype(kind)
