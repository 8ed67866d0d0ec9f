"""Class labels in their order, and their class codes."""

import warnings
from collections.abc import Sequence
from typing import Any

import narwhals
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Array, Integers, LabelOrder, Labels
from moselect.labels.scales import (
    MERGE,
    are_numbers,
    how_ordered,
    order_advice,
    recognise_scale,
)
from moselect.listing import listing, setting
from moselect.validation import check_choice, check_unmasked

BLANKS = " \t\N{NO-BREAK SPACE}"  # around a cell, which do not count
MOST_ON_GRID = 21  # values that are classes, such as grades from 0 to 10 by halves


def level_text(value: object) -> str:
    """Return a level or label as text, whole numbers without a decimal point."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        value = int(value)
    return str(value).strip(BLANKS)


def class_labels(
    y: ArrayLike | pd.Series,
    labels: Sequence[Any] | Labels | None = None,
    *,
    keep_unused: bool = False,
) -> Labels:
    """Return the classes of ``y`` (r,) in their order, lowest first.

    ``y`` holds numbers, also as text, an ordered Categorical, strings of a well-known
    scale, whose order a warning names, or others whose order ``labels`` gives, which may
    name classes without samples, too. With ``keep_unused`` the categories of an ordered
    Categorical that no sample has are classes. Raises ValueError if labels are missing or
    of no known order.

    Examples
    --------
    >>> class_labels([3, 1, 3, 7])
    array([1, 3, 7])
    >>> class_labels(["mid", "low"], labels=["low", "mid", "high"]).tolist()
    ['low', 'mid', 'high']
    >>> class_labels(["10", "9", "1"]).tolist()
    ['1', '9', '10']
    """
    values = complete_labels(y)
    if labels is not None:
        classes = as_label_array(labels)
        if classes.ndim != 1 or len(classes) == 0:
            raise ValueError("labels must list the classes, lowest first")
        # NumPy's unique would sort, and cannot compare labels of mixed types.
        if len(set(classes.tolist())) < len(classes):
            raise ValueError(f"labels names a class twice: {classes.tolist()}")
        return classes
    categories = ordered_categories(y)
    if categories is not None:
        # Categories without samples are classes only where costs or metrics name them.
        used = categories if keep_unused else categories.remove_unused_categories().cat
        return np.asarray(used.categories)
    if values.dtype.kind not in "fiub":
        # Sorted for the message and the scale: the order of rows says nothing.
        distinct = sorted(map(str, set(values.tolist())))
        is_text = all(isinstance(value, str) for value in values.tolist())
        order = recognise_scale(distinct) if is_text else None
        if order is not None:
            if order_is_guessed(y):
                warnings.warn(
                    f"labels {how_ordered(order)}, lowest first: {listing(order, 50)} (give "
                    "labels=[lowest, ..., highest] for another)",
                    stacklevel=3,
                )
            return as_label_array(order)
        advice = order_advice(distinct)
        no_answer = f"; drop rows without an answer: {listing(advice.unanswered)}"
        raise ValueError(
            f"labels without a known order ({', '.join(advice.labels[:6])}): give labels=[lowest, "
            f"..., highest] or an ordered Categorical{advice.alike}"
            f"{no_answer * bool(advice.unanswered)}"
        )
    return np.sort(pd.unique(values))


def ordered_categories(y: Any) -> Any:
    """Return the accessor ``cat`` of an ordered Categorical, which knows all classes, or None.

    An Enum of polars is an ordered Categorical.
    """
    native = narwhals.from_native(y, series_only=True, pass_through=True)
    if isinstance(native, narwhals.Series):
        y = native.to_pandas()
    dtype = getattr(y, "dtype", None)
    if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered:
        return pd.Series(y).cat
    return None


def complete_labels(y: ArrayLike | pd.Series) -> Labels:
    """Return labels as an array (n,); ValueError if one is missing."""
    values = as_label_array(y)
    if values.ndim != 1:
        raise ValueError(
            f"labels must be one-dimensional, but their shape is {values.shape}"
        )
    missing = np.flatnonzero(pd.isna(values))
    if len(missing):
        raise ValueError(
            f"{len(missing)} of {len(values)} labels are missing (NaN), "
            f"the first at position {missing[0]}: drop those rows"
        )
    return values


def distinct_labels(*parts: ArrayLike | pd.Series) -> Labels:
    """Return the different labels of several targets; ValueError if one is missing."""
    return pd.unique(np.concatenate([*map(complete_labels, parts)]))


def order_is_guessed(y: ArrayLike | pd.Series, labels: LabelOrder = None) -> bool:
    """Return whether `class_labels` takes the order of the classes from a known scale.

    Examples
    --------
    >>> order_is_guessed(["C", "B", "A"]), order_is_guessed(["10", "9"])
    (True, False)
    """
    if labels is not None or ordered_categories(y) is not None:
        return False
    values = as_label_array(y)
    return values.dtype.kind not in "fiub" and not are_numbers(set(map(str, values)))


def check_not_continuous(values: Array) -> None:
    """Raise ValueError unless numbers are integers, or few and evenly spaced.

    Examples
    --------
    >>> check_not_continuous(np.array([1.0, 3.0, 1.5]))
    >>> check_not_continuous(np.array([0.12, 0.3, 1.5]))
    Traceback (most recent call last):
    ValueError: y is continuous (0.12, 0.3, 1.5): cut it into classes ...
    """
    distinct = np.unique(values) if values.dtype.kind == "f" else np.zeros(1)
    # Whole numbers are classes however many there are.
    if (distinct == np.rint(distinct)).all():
        return
    if len(distinct) > MOST_ON_GRID or grid_step(distinct) is None:
        raise ValueError(
            f"y is continuous ({listing(distinct, 3)}): cut it into classes "
            "(moselect.datasets.bin_target), or name them, lowest first (labels=[...])"
        )


# Distance from an even grid, in its steps.
GRID_TOLERANCE = 1e-6


def grid_step(values: ArrayLike) -> float | None:
    """Return the step of an even grid with at least half of its numbers present, or None.

    Examples
    --------
    >>> grid_step([1.0, 3.0, 1.5]), grid_step([0.5, 1.0, 2.25])
    (0.5, None)
    """
    numbers = np.unique(np.asarray(values, float))
    step = float(np.diff(numbers).min(initial=np.inf))
    places = (numbers - numbers[0]) / step
    on_grid = np.abs(places - np.rint(places)) < GRID_TOLERANCE
    # At least half of the grid must occur: any two decimals lie on some grid.
    return step if on_grid.all() and places[-1] < 2 * len(numbers) else None


def encode_labels(y: ArrayLike | pd.Series, classes: Labels) -> Integers:
    """Return the index of each label in ``classes``; ValueError if it is none of them.

    Examples
    --------
    >>> encode_labels([3, 1, 7], np.array([1, 3, 7]))
    array([1, 0, 2])
    """
    classes = as_label_array(classes)
    categorical = None
    labels = y
    if isinstance(getattr(y, "dtype", None), pd.CategoricalDtype):
        categorical = pd.Series(y).cat
        labels = categorical.categories
    # -1 where a label is none of the classes
    codes = pd.Index(classes).get_indexer(pd.Index(as_label_array(labels)))
    if categorical is not None:
        # The missing code, -1, indexes the appended entry.
        codes = np.append(codes, -1)[categorical.codes]
    if len(codes) and codes.min() < 0:
        places = np.flatnonzero(codes < 0)
        unknown = sorted({str(v) for v in as_label_array(y)[places]})
        if {*unknown} <= {*map(str, classes.tolist())}:
            raise ValueError(
                f"label {unknown[0]} is a class, but of another type: give labels and classes "
                "both as numbers or both as text"
            )
        raise ValueError(
            f"unknown label {listing(unknown, limit=6)}: the classes are {listing(classes)} "
            f"(first at position {places[0]})"
        )
    return codes


def encode(
    y: ArrayLike | pd.Series,
    labels: Sequence[object] | Labels | None = None,
    *,
    keep_unused: bool = False,
) -> tuple[Array, Integers]:
    """Return the classes of ``y``, lowest first, and the index of each label among them.

    Parameters and errors as in `class_labels`; an empty or continuous ``y`` is an error,
    too.
    """
    if np.asarray(y).shape == (0,):
        raise ValueError("y_true is empty: there is nothing to measure")
    classes = class_labels(y, labels, keep_unused=keep_unused)
    if labels is None and ordered_categories(y) is None:
        check_not_continuous(classes)
    return classes, encode_labels(y, classes)


def check_classes(
    X: pd.DataFrame | Array, codes: Integers, classes: Labels, *, fewest: int = 1
) -> None:
    """Raise ValueError unless rows have labels and every class ``fewest`` samples.

    Examples
    --------
    >>> X, codes = np.zeros((3, 1)), np.array([0, 0, 1])
    >>> check_classes(X, codes, np.array(["low", "high"]))
    >>> check_classes(X, codes, np.array(["low", "high"]), fewest=2)
    Traceback (most recent call last):
    ValueError: class high has a single sample: merge with a neighbouring class
    """
    if len(codes) != len(X):
        raise ValueError(f"X has {len(X)} rows but y has {len(codes)} labels")
    if len(classes) < 2:
        raise ValueError(
            f"y has one class only ({classes[0]}): there is nothing to order"
        )
    counts = np.bincount(codes, minlength=len(classes))
    if not counts.all():
        raise ValueError(
            f"class {listing(classes[counts == 0])} has no samples: drop it from the labels"
        )
    if counts.min() < fewest:
        few = classes[counts < fewest]
        more = classes[counts >= fewest]
        are = "class {} has" if len(few) == 1 else "classes {} have each"
        merged = merged_order(classes, counts, fewest)
        excluded = f", or leave out: {setting('leave_out', few)}" * (len(more) > 1)
        ways = f" ({setting('order', merged)}{excluded})" if len(classes) > 2 else ""
        raise ValueError(
            f"{are.format(listing(few))} a single sample: merge with a neighbouring class{ways}"
        )


def merged_order(classes: ArrayLike, class_counts: ArrayLike, fewest: int) -> list[str]:
    """Merge small classes with their smaller neighbours.

    Two classes stay whatever their size, and classes without samples unless they lie
    between.

    Examples
    --------
    >>> merged_order(["I", "II", "III", "IV"], [9, 1, 4, 1], fewest=2)
    ['I', 'II + III + IV']
    """
    names = [level_text(label) for label in np.asarray(classes).tolist()]
    counts = np.asarray(class_counts).tolist()
    # Two classes are the least that can be ordered.
    while sum(map(bool, counts)) > 2:
        # Classes without samples rank last: they need no merge of their own.
        small = min(range(len(counts)), key=lambda j: counts[j] or np.inf)
        if counts[small] >= fewest:
            break
        neighbours = {small - 1, small + 1} & set(range(len(names)))
        # The smaller neighbour, so that the merged class stays as small as it can be.
        low = min(small, min(neighbours, key=lambda j: counts[j]))
        names[low : low + 2] = [MERGE.join(names[low : low + 2])]
        counts[low : low + 2] = [sum(counts[low : low + 2])]
    return names


def as_label_array(y: ArrayLike) -> Labels:
    """Return labels as an array; objects that are numbers become numbers.

    Examples
    --------
    >>> as_label_array(pd.Series([2, 1], dtype=object))
    array([2, 1])
    """
    check_unmasked("labels", y)
    values = np.asarray(y)
    if values.dtype == object and values.ndim == 1:
        content = pd.api.types.infer_dtype(values, skipna=False)
        if content in ("integer", "boolean"):
            # whole numbers beyond 64 bits remain objects
            return np.array(values.tolist())
        if content in ("decimal", "floating", "mixed-integer-float"):
            return values.astype(float)
    return values


def rank_of(label: object, classes: Labels) -> int:
    """Return the code of a class, given its label or text; ValueError for an unknown one.

    Examples
    --------
    >>> rank_of("3", np.array([1, 2, 3]))
    2
    """
    names = list(map(str, classes.tolist()))
    name = str(label).strip()
    return names.index(check_choice("the class", name, names))
