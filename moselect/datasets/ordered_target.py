"""A target column and the order of its labels."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import (
    is_bool_dtype,
    is_float_dtype,
    is_integer_dtype,
    is_numeric_dtype,
)

from moselect._types import Integers, Label, LabelOrder, record
from moselect.datasets.binning import bins_option
from moselect.datasets.target import ORDER_TO_FILL, OrderError
from moselect.labels.labels import (
    MOST_ON_GRID,
    as_label_array,
    grid_step,
    level_text,
    merged_order,
)
from moselect.labels.scales import (
    MERGE,
    how_ordered,
    order_advice,
    recognise_scale,
    same_but_for_case,
)
from moselect.listing import comma_separated, listing, setting, short
from moselect.tables.gap_codes import gap_codes
from moselect.tables.schema import are_integers
from moselect.tables.tables import MOST_LABELS

GAPS = 1 / 3  # unused values on the grid of labels, relative to the number of classes


@record
class OrderedTarget:
    """A target (n,) of integers, booleans or ordered categories, and its labels."""

    values: pd.Series
    labels: tuple[Label, ...]  # distinct labels in the data or the order, lowest first
    notes: tuple[str, ...] = ()


# as of "10" and "10 - worst", not of "10.5" and "10+"
LEADING_INTEGER = r"^(-?\d+)(?![\d.,+])"


def order_target(values: pd.Series, order: LabelOrder = None) -> OrderedTarget:
    """Determine the order of the labels of a complete target column.

    ``order`` lists all labels, lowest first, compared as text or as numbers; labels without
    rows are allowed, and "a + b" merges two. By default numbers, integers written as text,
    and booleans are ordered by value, ordered categories by their own order, and text by a
    well-known scale such as low, medium, high. Surrounding blanks are stripped.
    """
    name = short(values.name)
    notes = []
    values = _plain(values)
    is_ordered = isinstance(values.dtype, pd.CategoricalDtype)
    if not is_ordered:
        texts = [each for each in values.drop_duplicates() if isinstance(each, str)]
        stripped = {text: text.strip() for text in texts if text != text.strip()}
        if stripped:
            shown = listing(map(repr, stripped), 3)
            notes.append(f"blanks around labels of '{name}' removed: {shown}")
            values = values.replace(stripped)
    if order is not None:
        values = _ordered_as_given(values, order)
    elif not is_ordered:
        values = _ordered_by_value_or_scale(values)
    labels = np.unique(values.to_numpy()).tolist()
    if isinstance(values.dtype, pd.CategoricalDtype):
        if order is None:
            used = values.cat.remove_unused_categories()
            unused = values.cat.categories.difference(used.cat.categories)
            if len(unused):
                notes.append(
                    f"no row of '{name}' has the category {listing(unused)}: it is no class "
                    "(an order that names it keeps it)"
                )
            values = used
        labels = values.cat.categories.tolist()
        if order is None and not is_ordered:
            shown = listing(map(level_text, labels), MOST_LABELS)
            is_grid = isinstance(labels[0], float)
            how = "on an even grid" if is_grid else how_ordered(labels)
            notes.append(f"labels of '{name}' {how}, lowest first: {shown}")
    present = [label for label in labels if (values == label).any()]
    if len(present) < 2:
        raise ValueError(
            f"target '{name}' has the one label {listing(present)}: two or more are needed"
        )
    if len(present) < len(labels):
        absent = listing(label for label in labels if label not in present)
        notes.append(
            f"no row of '{name}' has {absent}: it counts in distances and costs, but no model "
            "trained on these rows predicts it"
        )
    elif order is None and not is_ordered:
        starts = pd.Series(map(level_text, present)).str.extract(LEADING_INTEGER)[0]
        numbers = starts.to_numpy(float)
        is_far = np.isin(numbers, gap_codes(numbers, of_scale=True))
        far = [present[k] for k in np.flatnonzero(is_far)]
        if isinstance(labels[0], int | float):
            notes += _between([label for label in present if label not in far], name)
        if far:
            notes.append(
                f"'{name}' has {listing(map(level_text, far))} beyond its other labels: if it "
                f"stands for no answer, {setting('leave_out', map(level_text, far))}"
            )
    return OrderedTarget(values, tuple(labels), tuple(notes))


def _between(labels: list[float], name: str) -> list[str]:
    """Note unused values on the grid of numeric labels: they may be classes without rows."""
    step = grid_step(labels)
    if step is None:
        return []
    every = labels[0] + step * np.arange(round((labels[-1] - labels[0]) / step) + 1)
    scale = [f"{value:.12g}" for value in every]
    gaps = [value for value in scale if value not in map(level_text, labels)]
    if not 0 < len(gaps) <= GAPS * len(labels):
        return []
    return [
        f"no row of '{name}' has {listing(gaps)}, and distances do not count it: if it is a "
        f"class, {setting('order', scale)}"
    ]


# A class with fewer rows is missing from some of the default five folds.
SMALL_CLASS = 5


def small_classes(
    labels: Sequence[Label], codes: Integers, repeats: Integers | None
) -> tuple[str, ...]:
    """Suggest merging rare classes with their smaller neighbours, if there are any.

    ``codes`` (n,) are the places of the labels of rows, and ``repeats`` (n,) their integer
    weights, if any: a row of a contingency table counts as several.
    """
    counts = np.bincount(codes, repeats, len(labels)).astype(int).tolist()
    few = [
        f"{short(label)}: {count}"
        for label, count in zip(labels, counts, strict=True)
        if 0 < count < SMALL_CLASS
    ]
    if not few or sum(map(bool, counts)) == 2:
        return ()
    return (
        f"classes of fewer than {SMALL_CLASS} rows make cross-validated estimates uncertain "
        f"({listing(few)}): to merge them, "
        f"{setting('order', merged_order(labels, counts, SMALL_CLASS))}",
    )


def _plain(values: pd.Series) -> pd.Series:
    """Convert unordered categories and objects to values, and integral floats to integers."""
    dtype = values.dtype
    if isinstance(dtype, pd.CategoricalDtype) and not dtype.ordered:
        values = values.astype(dtype.categories.dtype)
    if values.dtype == object:
        values = pd.Series(as_label_array(values), values.index, name=values.name)
    if not _all_integers(values):
        return values
    return values.astype("uint64" if values.max() >= 2**63 else "int64")


def _all_integers(values: pd.Series) -> bool:
    is_float = is_float_dtype(values.dtype)
    return is_integer_dtype(values.dtype) or (
        is_float and are_integers(values.to_numpy(float))
    )


# Uneven numbers, such as 1, 1.5, 2.75, whose order is offered.
MAX_OFFERED_GRADES = 12
# A score rather than classes: more values than a grid of classes has, of few rows each.
MIN_ROWS_OF_A_CLASS = 5


def _ordered_by_value_or_scale(values: pd.Series) -> pd.Series:
    if is_bool_dtype(values.dtype):
        return values.astype(bool)
    if not is_numeric_dtype(values.dtype):
        text = values.astype(str)
        if not text.str.fullmatch(r"[+-]?\d{1,15}").all():
            return _ordered_by_scale(text)
        values = text.astype("int64")
    distinct = values.drop_duplicates()
    if not _all_integers(values):
        if len(distinct) <= MOST_ON_GRID and grid_step(distinct) is not None:
            return values.astype(pd.CategoricalDtype(sorted(distinct), ordered=True))
        grades = setting("order", sorted(distinct))
        also = f", or name its grades ({grades})" * (len(distinct) <= MAX_OFFERED_GRADES)
        raise ValueError(
            f"target '{short(values.name)}' is continuous ({listing(distinct, limit=3)}): cut it "
            f"into classes with bins ({bins_option(values)}){also}"
        )
    is_score = len(distinct) > max(MOST_ON_GRID, len(values) / MIN_ROWS_OF_A_CLASS)
    if is_score or len(distinct) > MOST_LABELS:
        raise ValueError(
            f"target '{short(values.name)}' has {len(distinct)} different numbers in "
            f"{len(values):,} rows: cut it into classes with bins ({bins_option(values)})"
        )
    return values


def _ordered_by_scale(text: pd.Series) -> pd.Series:
    present = sorted(text.drop_duplicates())
    if len(present) > MOST_LABELS:
        raise ValueError(
            f"target '{short(text.name)}' has {len(present)} different labels of text "
            f"({listing(present, limit=3)}): name another column (target=...)"
        )
    labels = recognise_scale(present) if len(present) > 1 else present
    if labels is None:
        advice = order_advice(present)
        option = setting("order", advice.labels)
        leave_out = (
            f"; {setting('leave_out', advice.unanswered)} excludes rows without an answer"
        )
        if not advice.is_known:
            option = f"{ORDER_TO_FILL}): {comma_separated(advice.labels)}"
        raise OrderError(
            f"target '{short(text.name)}' has labels without a known order: name all of them, "
            f"lowest first ({option}{')' * advice.is_known}{advice.alike}"
            f"{leave_out * bool(advice.unanswered)}"
        )
    return text.astype(pd.CategoricalDtype(labels, ordered=True))


def _ordered_as_given(values: pd.Series, order: Sequence[object]) -> pd.Series:
    if isinstance(order, str) or not isinstance(order, Sequence):
        raise TypeError(f"order must be a list of labels, lowest first, not {order!r}")
    # text and numbers mixed: 1 and "1" are the same label
    if values.dtype == object or values.drop_duplicates().map(str).duplicated().any():
        values = values.map(str)
    known = sorted(values.drop_duplicates())
    texts = [level_text(label) for label in order]
    classes = {  # in a merge some labels may have no rows
        text: _named(text, known)
        or [
            label
            for part in text.split(MERGE if MERGE in text else "+")
            for label in _named(part.strip(), known)
        ]
        for text in texts
    }
    named = [label for labels in classes.values() for label in labels]
    wrong = [level_text(label) for label in known if named.count(label) != 1]
    wrong += [text for text in classes if texts.count(text) > 1]
    if wrong:
        alike = same_but_for_case(map(level_text, known))
        one_each = [MERGE.join(group) for group in alike]
        merge = " (' + ' merges spellings)" * (len(one_each) < len(known))
        raise OrderError(
            f"order must name each of the {len(known)} labels of target '{short(values.name)}' "
            f"once, which it does not for {listing(dict.fromkeys(wrong))}: "
            f"{ORDER_TO_FILL} of {comma_separated(one_each)}{merge}"
        )
    # A class takes the name of its label in the data; merged and empty ones that in the
    # order.
    names: list[Any] = [
        labels[0] if len(labels) == 1 else text for text, labels in classes.items()
    ]
    if len(set(map(type, names))) > 1:
        names = [*map(level_text, names)]
        with suppress(ValueError):
            names = pd.to_numeric(names).tolist()
    name_of = {
        label: name
        for name, labels in zip(names, classes.values(), strict=True)
        for label in labels
    }
    dtype = pd.CategoricalDtype(names, ordered=True)
    return values.astype(object).map(name_of).astype(dtype)


def _named(text: str, known: Sequence[Label]) -> list[Label]:
    """Return the labels of the data that are a text, or the same number."""
    same = [label for label in known if level_text(label) == text]
    with suppress(ValueError, TypeError):
        same = same or [label for label in known if float(label) == float(text)]
    return same
