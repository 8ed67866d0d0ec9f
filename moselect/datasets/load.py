"""From a source to features and an ordinal target."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from moselect._types import Booleans
from moselect.datasets.binning import bin_target
from moselect.datasets.ordered_target import OrderedTarget, order_target, small_classes
from moselect.datasets.reading import Reading
from moselect.datasets.sources import find_source
from moselect.datasets.target_and_features import (
    check_complete,
    choose_target,
    features_of,
    role_values,
    target_numbers,
    target_values,
    without_labels,
)
from moselect.listing import listing, short


@dataclass(frozen=True, eq=False)
class Dataset:
    """Features and an ordinal target.

    Attributes
    ----------
    name : str
        The bundled name, ``openml:ID``, or the file's name without its suffix.
    X : DataFrame of shape (n, p)
        Features: finite floats if all are numbers without gaps, else the columns as they
        are in the table, which `moselect.columns.Preparation` turns into floats.
    y : Series of shape (n,)
        Labels, with the index of ``X``: int64, bool, or an ordered Categorical.
        ``attrs["cuts"]`` has the points at which numbers were cut into classes.
    labels : tuple
        The labels, lowest first: those in ``y``, or all that the order names.
    target : str
        Name of the target column.
    notes : tuple of str
        Notes on how the file was read and its labels ordered, a line each.
    roles : dict of str to Series
        Columns that are no features, by what they are to a fit: ``sample_weight``,
        ``groups``, ``times``.

    Examples
    --------
    >>> from moselect.datasets import load_dataset
    >>> data = load_dataset("boston")
    >>> data.X.shape, data.target, data.labels
    ((506, 13), 'MEDV', (1, 2, 3, 4, 5))
    """

    name: str
    X: pd.DataFrame
    y: pd.Series
    labels: tuple[Any, ...]
    target: str
    notes: tuple[str, ...] = ()
    roles: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def fingerprint(self) -> str:
        """Short hash of names and values, by which the data are recognised."""
        return fingerprint(self.X.assign(**self.roles), self.y)


def load_dataset(
    source: str | os.PathLike[str],
    *,
    target: str | None = None,
    order: Sequence[object] | None = None,
    bins: int | None = None,
    binning: str | Sequence[float] | None = None,
    leave_out: Sequence[object] | None = None,
    categorical: Sequence[str] | None = None,
    reading: Reading | Mapping[str, str | None] | None = None,
    weight: str | None = None,
    group: str | None = None,
    time: str | None = None,
) -> Dataset:
    """Load a table with an ordinal target, its features as they are.

    Parameters
    ----------
    source : str or path
        ``"boston"``, ``"openml:ID"`` (fetched over the network), ``"-"`` for standard
        input, or a file that `read_table` reads. If the environment variable
        ``MOSELECT_DATA`` names a folder, a bare name is looked up there first, with or
        without ``.csv``.
    target : str, optional
        Target column. Without it: OpenML's default target; the one column called
        response, target, label, class or y; else the last column. All other columns are
        features.
    order : sequence, optional
        All labels of the target, lowest first, compared as text or as numbers, and
        perhaps some that no row has. Needed for text labels that are on no well-known
        scale. Words such as NA are labels, not missing, if it has them. ``"moderate +
        severe"`` merges two labels into one class.
    bins, binning
        Cut a target of numbers, also as text and with a unit, into classes, as in
        `bin_target`; rows that get no class are dropped. ``boston`` also has the binnings
        of `load_boston` and has ``"normalised"`` by default.
    leave_out : sequence, optional
        Labels that say that there is none, such as 9 for "no answer", compared as text:
        rows that have them are left out.
    categorical : sequence of str, optional
        Columns of digits that are names of categories: they are taken as they are
        written, 007 not as 7.
    reading : dict, optional
        ``separator``, ``decimal``, ``encoding``, ``sheet`` or ``header`` of a file, as
        `read_table` takes them, where these are not to be recognised.
    weight, group, time : str, optional
        Columns that say what rows weigh, what they belong to and when they were, as
        `moselect.ParetoSearch.fit` takes it; they are no features.

    Returns
    -------
    Dataset
        The name, ``X``, ``y``, the labels in order, and the target's name. Rows without a
        label are left out.

    Raises
    ------
    ValueError
        If the source cannot be found or read, it has no rows, or the target is unknown,
        empty or without a known order.

    Examples
    --------
    >>> boston = load_dataset("boston", binning="printed")
    >>> boston.X.shape, boston.labels, boston.target
    ((354, 13), (1, 2, 3, 4, 5), 'MEDV')
    """
    if order is not None and (bins is not None or binning is not None):
        raise ValueError(
            "order (--order) is for labels and bins (--bins) are for numbers: give one"
        )
    if not isinstance(reading, Reading):
        reading = Reading(**(reading or {}))
    read = find_source(source, reading)
    if read.table.empty:
        raise ValueError(f"'{read.name}' has no rows")
    column = choose_target(read, read.target if target is None else target)
    if bins is None and binning is None:
        values = target_values(read, column, order)
    else:
        values = target_numbers(read, column)
    unlabelled = np.flatnonzero(values.isna())
    values, left_out = without_labels(values, leave_out)
    rows = np.flatnonzero(values.notna())  # by position: row labels in a file may repeat
    if not len(rows):
        raise ValueError(f"no row has a label: target '{short(column)}' is empty")
    values = values.iloc[rows]
    check_complete(values)
    roles = {
        role: role_values(read, role, str(name), column)
        for role, name in (("sample_weight", weight), ("groups", group), ("times", time))
        if name is not None
    }
    used = [values.name for values in roles.values()]
    features = read.table.drop(columns=used, errors="ignore")
    X = features_of(features, column)
    X = X.assign(
        **{name: read.as_text(name) for name in categorical or () if name in X.columns}
    )
    if order is None and column == read.target:
        if bins is None and binning is None:
            binning = next(iter(read.binnings), None)
        if isinstance(binning, str):
            binning = read.binnings.get(binning, binning)
    if bins is None and binning is None:
        ordered = order_target(values, order)
        left_out += small_classes(ordered)
    else:
        ordered, has_class = _cut(values, bins, "uniform" if binning is None else binning)
        rows = rows[has_class]
    X, roles = X.iloc[rows], {role: values.iloc[rows] for role, values in roles.items()}
    notes = read.notes + ordered.notes + left_out
    if len(unlabelled):
        n_rows = len(read.table)
        notes += (
            f"{len(unlabelled):,} of {n_rows:,} rows have no label and are left out",
        )
        gaps = read.table.iloc[unlabelled][X.columns].isna().any() & ~X.isna().any()
        if gaps.any():
            named = listing(map(repr, gaps.index[gaps]), 5)
            notes += (
                f"rows without a label have gaps, and others have none, in {named}",
            )
    return Dataset(read.name, X, ordered.values, ordered.labels, column, notes, roles)


def _cut(
    values: pd.Series, bins: int | None, binning: str | Sequence[float]
) -> tuple[OrderedTarget, Booleans]:
    """Cut numbers into classes; say which rows have one."""
    name, kind = short(values.name), values.dtype
    if pd.api.types.is_bool_dtype(kind) or not pd.api.types.is_numeric_dtype(kind):
        raise ValueError(
            f"target '{name}' is not numeric and cannot be cut into bins (--bins): "
            "give the order of its labels instead (--order low,mid,high)"
        )
    classes = bin_target(values, bins, binning)
    has_class = classes.notna().to_numpy(dtype=bool)
    labels = tuple(range(1, int(classes.max()) + 1))
    cuts = listing([f"{cut:.6g}" for cut in classes.attrs["cuts"]], limit=len(labels))
    note = f"'{name}' is cut at {cuts} (these are in the lower class)"
    return OrderedTarget(classes[has_class].astype("int64"), labels, (note,)), has_class


def fingerprint(X: pd.DataFrame, y: pd.Series) -> str:
    """Return a short hash of names and values, by which a table is recognised."""
    digest = hashlib.sha256()
    for name, column in [*X.items(), (y.name, y)]:
        digest.update(f"{name}\n".encode())
        try:
            hashes = pd.util.hash_pandas_object(column, index=False)
        except TypeError:  # lists and the like, which may yet be left out
            hashes = pd.util.hash_pandas_object(column.map(str), index=False)
        digest.update(hashes.to_numpy().tobytes())
    return digest.hexdigest()[:16]
