"""Groups of rows by the values of a column, and limits that hold in each of them."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Floats, Integers, Labels
from moselect.costs.limits import Limit, read_limit, split_limit
from moselect.labels.labels import level_text
from moselect.listing import rounded
from moselect.samples.samples import Samples
from moselect.tables.cells import as_frame
from moselect.tables.features import as_pandas
from moselect.tables.levels import group_places, merge_spellings, read_levels

# Groups of fewer rows are merged.
FEWEST_ROWS = 30
# Columns of more values are bands if they are numbers, else too many groups to compare.
MOST_VALUES = 10


def group_order(names: Labels) -> Integers:
    """Sort the names of groups by their leading number, then names without one as text.

    Examples
    --------
    >>> names = np.array(["10 to 25", "5 to 10", "missing"])
    >>> names[group_order(names)].tolist()
    ['5 to 10', '10 to 25', 'missing']
    """
    numbers = pd.Series([str(name).split(" to ")[0] for name in names])
    starts = pd.to_numeric(numbers, errors="coerce").to_numpy(float)
    return np.argsort(starts, kind="stable")


def table_by_row(samples: Samples, by: pd.DataFrame | None) -> pd.DataFrame:
    """Join features and other columns ``by``, indexed by row of the user's table."""
    X = as_frame(samples.X)
    if samples.feature_names is not None:
        X = X.set_axis([*samples.feature_names], axis="columns")
    return with_columns(X, by, np.asarray(samples.rows))


def with_columns(
    X: pd.DataFrame, by: pd.DataFrame | None, rows: Integers
) -> pd.DataFrame:
    """Join other columns ``by`` to features of ``rows`` of the user's table, indexed by row.

    ValueError if there are fewer, or the index of X is found in that of ``by`` in another order.
    """
    index = X.index
    X = X.set_axis(rows)
    X = X[~X.index.duplicated()]
    if by is None:
        return X
    extra = pd.DataFrame(as_pandas(by))
    _check_rows(len(extra), X)
    if extra.index.is_unique:
        places = extra.index.get_indexer(index)
        if (places >= 0).all() and (places != rows).any():
            raise ValueError(
                "by has the index of X in another order: give by.loc[X.index], or reset_index("
                "drop=True) of both if rows belong together by their places"
            )
    extra = extra.reset_index(drop=True)
    return X.drop(columns=extra.columns, errors="ignore").join(extra)


def group_values(
    values: str | ArrayLike, table: pd.DataFrame, samples: Samples
) -> pd.Series:
    """Return the value (n,) of each sample: of a column of a table, or of values by row."""
    if isinstance(values, str):
        if values not in table:
            raise ValueError(f"no column {values!r} is known: give its values")
        values = in_one_spelling(table[values])
    else:
        values = pd.Series(np.asarray(values), name=getattr(values, "name", None))
        _check_rows(len(values), table)
    return values.loc[np.asarray(samples.rows)]


def in_one_spelling(values: pd.Series) -> pd.Series:
    """Write the levels of a categorical column in their commonest spelling."""
    if pd.api.types.is_numeric_dtype(values):
        return values
    places, levels, _ = merge_spellings(*read_levels(values))
    return pd.Series(
        np.array([*levels, None], object)[places], values.index, name=values.name
    )


def _check_rows(n_rows: int, table: pd.DataFrame) -> None:
    """Raise ValueError if values are fewer than rows."""
    if n_rows <= table.index.max():
        raise ValueError(f"by has {n_rows} rows: give a value for each row of the table")


def is_in_bands(values: pd.Series) -> bool:
    """Whether a column has so many numbers that groups are bands of them."""
    return pd.api.types.is_numeric_dtype(values) and values.nunique() > MOST_VALUES


def group_labels(values: pd.Series, complete: bool = False) -> pd.Series:
    """Name the group of each value (n,): text, bands of numbers, or small groups merged.

    If ``complete``, larger groups are merged with them until they have 30 rows.

    Examples
    --------
    >>> group_labels(pd.Series(["a"] * 30 + ["b", "c", None])).unique().tolist()
    ['a', 'others (3 groups)']
    >>> group_labels(pd.Series(np.arange(120.0))).unique().tolist()
    ['0 to 29.8', '29.8 to 59.5', '59.5 to 89.2', '89.2 to 119']
    """
    if is_in_bands(values):
        bands = pd.qcut(values, 4, duplicates="drop", precision=12)
        ends = np.unique(np.nanquantile(values, np.linspace(0.0, 1.0, 5)))
        names = [f"{rounded(a)} to {rounded(b)}" for a, b in pairwise(ends)]
        values = bands.cat.rename_categories(names)
    labels = values.astype(object).where(values.notna(), "missing").map(level_text)
    counts = labels.value_counts(ascending=True)
    is_small = counts < FEWEST_ROWS
    if complete:  # rows of all smaller groups together
        is_small |= counts.cumsum() - counts < FEWEST_ROWS
    small = counts.index[is_small]
    if len(small) > 1:
        labels = labels.mask(labels.isin(small), f"others ({len(small)} groups)")
    return labels


def limits_in_groups(
    limits: Mapping[str, float],
    classes: ArrayLike,
    ratios: Floats,
    confidence: float,
    table: pd.DataFrame,
    *others: pd.DataFrame,
) -> list[Limit]:
    """Parse limits; ``"severe<serious by sex"`` is to hold in each group of a column.

    Groups of fewer than 30 rows are merged, a single one with the next larger group: a few
    rows cannot show that a limit holds.

    Parameters
    ----------
    limits, classes, ratios, confidence
        As in `read_limit`.
    table, *others : DataFrame
        Columns of groups, indexed by row of the user's table: of training rows, which
        determine the groups, and of others, such as a holdout set.

    Raises
    ------
    ValueError
        If a limit is invalid, or its column is unknown or has numbers.
    """
    if not isinstance(limits, Mapping):
        raise TypeError(
            f"limits is {limits!r}: give shares, such as {{'severe<mild': 0.2}}"
        )
    parsed = []
    for words, most in limits.items():
        mistake, column, _ = split_limit(words)
        limit = read_limit(mistake, most, classes, ratios, confidence)
        if not column:
            parsed.append(limit)
            continue
        if column not in table:
            raise ValueError(f"the limit {words!r} needs column {column!r}: give by=")
        if is_in_bands(table[column]):
            raise ValueError(
                f"the limit {words!r}: cut the numbers of {column!r} into groups"
            )
        labels = group_labels(in_one_spelling(table[column]), complete=True)
        names = sorted(labels.unique())
        values = pd.concat([each[column] for each in (table, *others)])
        places = group_places(values, names)
        for place, name in enumerate(names):
            members = np.zeros(values.index.max() + 1, bool)
            members[values.index] = places == place
            parsed.append(replace(limit, members=members, column=column, group=name))
    return parsed
