"""Split a table into target, features and columns with other roles."""

import re
from collections.abc import Sequence
from contextlib import suppress

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect._types import LabelOrder
from moselect.datasets.amounts import GAPS
from moselect.datasets.tables import Source, check_column
from moselect.listing import comma_separated, listing, short
from moselect.samples.features import are_finite_numbers
from moselect.samples.label_numbers import keeps_zeros
from moselect.samples.labels import BLANKS, level_text

USUAL_TARGETS = {"response", "target", "label", "class", "y"}
# Names of columns that count the cases of a row.
COUNTED = (
    "case|control|person|people|subject|patient|respondent|trial|event|death|observation"
)
COUNTS = re.compile(
    f"(n|num|number|count|freq)?(of)?({COUNTED})s?|n?obs|n|cnt|(cell)?(counts?|freqs?)|(frequenc|tall)(y|ies)"
)
# More distinct labels than this are taken for a measurement or free text.
MOST_LABELS = 50
# In place of an order that is not known: labels by the alphabet would be copied as they
# are.
ORDER_TO_FILL = "order=LOWEST,...,HIGHEST"
EACH_ROW = "none"  # as the column of groups: every row is a group of its own


def choose_target(source: Source, target: str | None) -> str:
    """Return the target column: the given one, one with a usual name, or the last.

    The last of a contingency table mostly holds counts: then it is the one before.
    """
    columns = source.table.columns.tolist()
    if target is None:
        usual = [column for column in columns if column.lower() in USUAL_TARGETS]
        others = [
            column for column in columns if not COUNTS.fullmatch(letters_of(column))
        ]
        return str(usual[0] if len(usual) == 1 else (others or columns)[-1])
    if target not in columns:
        target = str(target).strip()  # column names are stripped when a file is read
    check_column(target, columns, source.notes)
    return target


def letters_of(name: object) -> str:
    """Return the letters of a name of a column, in small."""
    return re.sub("[^a-z]", "", str(name).lower())


def target_values(source: Source, column: str, order: LabelOrder) -> pd.Series:
    """Return a target column, missing where rows have no label.

    Words that otherwise count as missing are labels if ``order`` lists them; without an
    order, None is a label. Decimals that may be versions, such as 5.9 and 5.10, stay text.
    """
    check_order_is_kept(source, column, order)
    values = source.table[column]
    if pd.api.types.is_float_dtype(values.dtype):
        words = source.read_words(column).astype(str).str.strip().where(values.notna())
        distinct = words.dropna().unique().tolist()
        if len(distinct) <= MOST_LABELS and any(
            keeps_zeros(texts) for texts in (distinct, list(map(str, order or ())))
        ):
            values = words
    named = (
        {str(label).strip() for label in order}
        if isinstance(order, list | tuple)
        else {"None"}
    )
    if values.isna().any():
        # cells of workbooks may be numbers
        words = source.read_words(column)
        words = words.map(lambda word: str(word).strip(), na_action="ignore")
        if words.isin(named & set(words[values.isna()])).any():
            values = words.where(words.isin(named) | values.notna())
    return values


def check_order_is_kept(source: Source, column: str, order: LabelOrder) -> None:
    """Raise ValueError if the file has lost the order of an ordered category of numbers."""
    if order is None and column in source.unordered:
        labels = sorted(source.table[column].dropna().unique().tolist())
        raise ValueError(
            f"target '{short(column)}' is an ordered category of numbers, whose order the file "
            f"does not keep: give it, lowest first ({ORDER_TO_FILL}): {comma_separated(labels)}"
        )


def target_numbers(source: Source, column: str) -> pd.Series:
    """Return a numeric target column, with numbers written as text parsed."""
    values = source.as_numbers(column)
    if pd.api.types.is_numeric_dtype(values.dtype):
        return values
    is_gap = values.astype(str).str.strip(BLANKS).str.lower().isin(GAPS)
    return values.mask(is_gap).infer_objects()


def without_labels(
    values: pd.Series, leave_out: Sequence[object] | None
) -> tuple[pd.Series, tuple[str, ...]]:
    """Mask excluded labels of a target column; return it with a note on their counts.

    ValueError if no row has one of them.
    """
    counts = {}
    for label in leave_out or ():
        text = level_text(label)
        texts = values.map(level_text, na_action="ignore")
        has = texts == text
        if not has.any():
            labels = listing(sorted(texts.dropna().unique()), limit=20)
            raise ValueError(
                f"no row has the label '{short(text)}' to be excluded by leave_out: "
                f"labels of '{short(values.name)}' are {labels}"
            )
        counts[text] = int(has.sum())
        values = values.mask(has)
    if not counts:
        return values, ()
    shown = listing(
        [f"'{short(label)}' ({count:,})" for label, count in counts.items()], limit=20
    )
    return values, (f"excluded rows of '{short(values.name)}': {shown}",)


def role_values(source: Source, role: str, column: str, target: str) -> pd.Series:
    """Return the column of sample weights, groups or times; weights as numbers.

    With the group "none" each row is a group of its own.
    """
    if role == "groups" and column == EACH_ROW and column not in source.table:
        return pd.Series(range(len(source.table)), source.table.index, name=column)
    name = choose_target(source, column)
    if name == target:
        raise ValueError(f"'{short(name)}' is the target: it cannot hold {role}, too")
    if role != "sample_weight":
        return source.table[name]
    values = source.as_numbers(name)
    if not pd.api.types.is_numeric_dtype(values.dtype):
        raise ValueError(f"not every cell of '{short(name)}' is a number: fix the column")
    return values


def check_complete(values: pd.Series) -> None:
    """Raise ValueError if target values are missing or infinite."""
    bad = values.isna()
    if pd.api.types.is_float_dtype(values.dtype):
        bad |= np.isinf(values.astype("float64"))
    if bad.any():
        raise ValueError(
            f"target '{short(values.name)}' is missing or infinite in {bad.sum()} of {len(values)} "
            "rows: drop them (empty fields and words such as NA count as missing, unless the "
            "order names them as labels)"
        )


def features_of(table: pd.DataFrame, target: str) -> pd.DataFrame:
    """Return all columns but the target, as floats if all are finite numbers.

    Booleans are not converted: other tables may spell them as words.
    """
    features = table.drop(columns=target)
    if features.columns.empty:
        raise ValueError(
            f"there are no features: '{short(target)}' is the only column (another separator of "
            "fields, separator=..., or sheet, sheet=...?)"
        )
    return features.astype("float64") if are_finite_numbers(features) else features


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
    TypeError
        If the values are not numbers.
    ValueError
        If a value is missing or infinite, ``bins`` is below 2 or differs from the number
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
    numbers = _finite(series)
    if bins is not None and bins < 2:
        raise ValueError(f"bins must be at least 2, not {bins}")
    if isinstance(binning, str):
        n_classes = DEFAULT_BINS if bins is None else bins
        edges = _edges(numbers, n_classes, binning)
        classes = 1 + np.searchsorted(edges, numbers, side="left")
    else:
        priors = _checked_priors(binning, bins)
        n_classes = len(priors)
        classes = _classes_by_rank(numbers, priors)
        edges = np.array(
            [numbers[classes == k].max(initial=-np.inf) for k in range(1, n_classes)]
        )
    sizes = np.bincount(classes, minlength=n_classes + 1)[1 : n_classes + 1]
    if not sizes.all():
        raise ValueError(
            f"class {1 + int(np.argmin(sizes))} of {n_classes} is empty: give fewer "
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


def _edges(
    numbers: NDArray[np.float64], n_classes: int, binning: str
) -> NDArray[np.float64]:
    """Return the upper bin edges, except the last."""
    if binning not in ("uniform", "quantile"):
        raise ValueError(
            f"unknown binning {binning!r}: give 'uniform', 'quantile' or class priors (0.5,0.3,0.2)"
        )
    if binning == "uniform":
        return np.linspace(numbers.min(), numbers.max(), n_classes + 1)[1:-1]
    last_ranks = -(-np.arange(1, n_classes) * len(numbers) // n_classes) - 1  # rounded up
    edges: NDArray[np.float64] = np.sort(numbers)[last_ranks]
    return edges


def _classes_by_rank(
    numbers: NDArray[np.float64], priors: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return classes from 1 by rank; samples beyond the priors get one class more."""
    ends = np.rint(len(numbers) * np.cumsum(priors))
    ranks = pd.Series(numbers).rank(method="first") - 1.0
    return 1 + np.searchsorted(ends, ranks, side="right")


def _finite(series: pd.Series) -> NDArray[np.float64]:
    if not pd.api.types.is_numeric_dtype(series.dtype):
        raise TypeError(
            f"only numbers can be cut into bins, not values of type {series.dtype}"
        )
    numbers = series.to_numpy(dtype=np.float64, na_value=np.nan)
    bad = np.count_nonzero(~np.isfinite(numbers))
    if bad:
        raise ValueError(
            f"{bad} of {len(numbers)} values are missing or infinite: drop them"
        )
    return numbers


def _checked_priors(binning: Sequence[float], bins: int | None) -> NDArray[np.float64]:
    priors = np.asarray(binning, dtype=np.float64)
    tolerance = 1e-9  # for rounding of the sum
    if not ((priors > 0.0).all() and priors.sum() <= 1.0 + tolerance):  # false for NaN
        raise ValueError(
            f"class priors must be positive and sum to at most 1: {priors.tolist()}"
        )
    if bins not in (None, len(priors)):
        raise ValueError(
            f"bins={bins}, but {len(priors)} class priors are given: omit bins"
        )
    return priors
