"""From a source to features and an ordinal target."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property

import numpy as np
import pandas as pd

from moselect._types import (
    Booleans,
    Document,
    FilePath,
    Integers,
    Label,
    LabelOrder,
    record,
)
from moselect.budgets import MEMORY
from moselect.datasets.binning import bin_target, bins_option
from moselect.datasets.ordered_target import OrderedTarget, order_target, small_classes
from moselect.datasets.sampling import DrawOptions, draw_sample, is_large
from moselect.datasets.source_tables import find_source
from moselect.datasets.target import (
    check_finite,
    choose_target,
    features_of,
    role_values,
    target_numbers,
    target_values,
    without_labels,
)
from moselect.labels.labels import encode_labels
from moselect.listing import listing, rows_of, short
from moselect.samples.weights import WeightType, counts_of
from moselect.tables.amounts import read_all_amounts, split_pairs
from moselect.tables.features import with_values
from moselect.tables.reading import Reading


@record
class Dataset:
    """Features and an ordinal target.

    Attributes
    ----------
    name : str
        The bundled name, ``openml:ID``, or the file's name without its suffix.
    X : DataFrame of shape (n, p)
        Features: finite floats if all are numbers without missing values, else the
        columns of the table, to be encoded by `moselect.preprocessing.Preparation`.
    y : Series of shape (n,)
        Labels, with the index of ``X``: int64, bool, or an ordered Categorical.
        ``attrs["bin_edges"]`` has the bin edges of a binned target.
    labels : tuple
        The labels, lowest first: all in ``y``, or all in the given order.
    target : str
        Name of the target column.
    notes : tuple of str
        Notes on how the file was read and its labels ordered, a line each.
    roles : dict of str to Series
        Columns other than features, by the parameter of ``fit`` that takes them:
        ``sample_weight``, ``groups``, ``times``; and the ``weight_type``, if given.
    n_source_rows : int or None
        Number of rows of a larger source from which these were drawn.
    source_rows : ndarray of int or None
        Position of each drawn row in this source, from 0.

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
    labels: tuple[Label, ...]
    target: str
    notes: tuple[str, ...] = ()
    roles: Document = field(default_factory=dict)
    n_source_rows: int | None = None
    source_rows: Integers | None = None

    @cached_property
    def codes(self) -> Integers:
        """Class codes (n,): the positions of the labels."""
        return encode_labels(self.y, np.array(self.labels))

    @property
    def table(self) -> pd.DataFrame:
        """Features, and the columns of weights, groups and times."""
        columns = [each for each in self.roles.values() if isinstance(each, pd.Series)]
        return with_values(self.X, {str(each.name): each for each in columns})

    @property
    def counts(self) -> Integers | None:
        """Count (n,) of each row by its weight; None if there are no counts."""
        weights = self.roles.get("sample_weight")
        if weights is None:
            return None
        values = weights.to_numpy(float)
        return counts_of(values, self.roles.get("weight_type"), self.X, self.codes)

    @cached_property
    def fingerprint(self) -> str:
        """Short hash of names and values that identifies the data."""
        return fingerprint(self.X.assign(**self.roles), self.y)


def load_dataset(
    source: FilePath,
    *,
    target: str | None = None,
    order: LabelOrder = None,
    bins: int | None = None,
    binning: str | Sequence[float] | None = None,
    leave_out: Sequence[object] | None = None,
    categorical: Sequence[str] | None = None,
    reading: Reading | Mapping[str, str | None] | None = None,
    weight: str | None = None,
    weight_type: WeightType | None = None,
    group: str | None = None,
    time: str | None = None,
    rows: int | None = None,
    random_state: int = 0,
) -> Dataset:
    """Load a table with an ordinal target; features are not encoded.

    Parameters
    ----------
    source : str or path
        ``"boston"``, ``"openml:ID"`` (fetched over the network), ``"-"`` for standard
        input, a file that `read_table` reads, a folder or pattern (``"claims/*.parquet"``) of
        Parquet files, or the connection URL of a database, with ``reading={"query": ...}``. If
        the environment variable ``MOSELECT_DATA`` names a folder, a bare name is looked up
        there first, with or without ``.csv``.
    target : str, optional
        Target column. Without it: OpenML's default target; the one column called
        response, target, label, class or y; else the last column. All other columns are
        features.
    order : sequence, optional
        All labels of the target, lowest first, compared as text or as numbers; labels
        without rows are allowed. Required for text labels outside the well-known scales.
        Words such as NA count as labels, not as missing, if the order lists them.
        ``"moderate + severe"`` merges two labels into one class.
    bins, binning
        Bin a numeric target, also one written as text and with a unit, as in
        `bin_target`; rows without a class are dropped. ``boston`` also has the binnings
        of `load_boston` and has ``"normalised"`` by default.
    leave_out : sequence, optional
        Codes for a missing label, such as 9 for "no answer", compared as text: rows with
        these codes are dropped.
    categorical : sequence of str, optional
        Columns to treat as categorical, as written: 007 differs from 7, and 120/80 are not
        two numbers.
    reading : dict, optional
        ``separator``, ``decimal``, ``encoding``, ``sheet``, ``header`` or ``dates`` of a file as
        in `read_table`, to override auto-detection.
    weight, group, time : str, optional
        Columns of sample weights, groups and times, as in `moselect.ParetoSearch.fit`;
        they are not used as features.
    weight_type : {"counts", "sampling"}, optional
        Type of the weights, as in `moselect.ParetoSearch.fit`.
    rows : int, optional
        Draw a sample of about so many rows, as in `draw_sample`, of a source that has more. By
        default 200,000 of one that is too large for the memory of this machine. One over the
        probability of a row is its sampling weight, times its ``weight``.
    random_state : int, default=0
        Seed of the sample.

    Returns
    -------
    Dataset
        The name, ``X``, ``y``, the labels in order, and the target's name. Rows without a
        label are dropped.

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
    is_binned = bins is not None or binning is not None
    if order is not None and is_binned:
        raise ValueError("the order is for labels and bins are for numbers: give one")
    if not isinstance(reading, Reading):
        reading = Reading(**(reading or {}))
    sample = None
    if rows is not None or is_large(source, reading):
        options = DrawOptions(target, order, is_binned, group, reading)
        sample = draw_sample(source, rows or MEMORY.sampled_rows, options, random_state)
    read = find_source(source, reading) if sample is None else sample.source
    if read.table.empty:
        raise ValueError(f"'{read.name}' has no rows")
    column = choose_target(read, read.target if target is None else target)
    if order is None and column == read.target:
        # Names of the binnings of a bundled data set: the first is its default.
        if not is_binned:
            binning = next(iter(read.binnings), None)
        if isinstance(binning, str):
            binning = read.binnings.get(binning, binning)
            is_binned = True
    values = (
        target_numbers(read, column) if is_binned else target_values(read, column, order)
    )
    n_unlabelled = values.isna().sum()
    values, excluded = without_labels(values, leave_out or ())
    # By position: row labels in a file may repeat.
    labelled = np.flatnonzero(values.notna())
    if not len(labelled):
        raise ValueError(f"no row has a label: target '{short(column)}' is empty")
    values = values.iloc[labelled]
    check_finite(values)
    roles = {
        role: role_values(read, role, str(name), column)
        for role, name in (("sample_weight", weight), ("groups", group), ("times", time))
        if name is not None
    }
    used = [values.name for values in roles.values()]
    if sample is not None:
        drawn_weights = pd.Series(sample.weights, name="sampling weight")
        if weight is not None:
            drawn_weights = roles["sample_weight"] * sample.weights
        roles["sample_weight"] = drawn_weights
        weight_type = "sampling"
    features = read.table.drop(columns=used, errors="ignore")
    X = features_of(features, column)
    texts = {name: read.as_text(name) for name in categorical or () if name in X.columns}
    X = with_values(X, texts)
    # Amounts of few values, such as 95%, are levels of a target, and numbers of a feature.
    read_all_amounts(X, few=True, as_written=categorical or ())
    X = split_pairs(X, categorical or ())
    if is_binned:
        ordered, has_class = _cut(values, bins, "uniform" if binning is None else binning)
        labelled = labelled[has_class]
    else:
        ordered = order_target(values, order)
    X = X.iloc[labelled]
    used_rows: Document = {role: each.iloc[labelled] for role, each in roles.items()}
    if weight_type is not None:
        used_rows["weight_type"] = weight_type
    data = Dataset(
        read.name,
        X,
        ordered.values,
        ordered.labels,
        column,
        roles=used_rows,
        n_source_rows=None if sample is None else sample.n_rows,
        source_rows=None if sample is None else sample.rows,
    )
    n_unweighted = (used_rows["sample_weight"] == 0.0).sum() if weight is not None else 0
    if n_unweighted:
        of_all = f"{n_unweighted:,} of {len(labelled):,} rows"
        excluded += (f"{of_all} have weight 0 and are excluded",)
    if not is_binned:
        excluded += small_classes(data.labels, data.codes, data.counts)
    notes = read.notes + ordered.notes + excluded
    n_rows = len(read.table)
    if sample is not None:
        n_rows = sample.n_rows
        n_unlabelled += sample.n_unlabelled
        drawn = rows_of(len(labelled), n_rows)
        notes += (f"{drawn} are drawn, and their sampling weights used",)
    if n_unlabelled:
        notes += (f"{n_unlabelled:,} of {n_rows:,} rows have no label and are excluded",)
    return replace(data, notes=notes)


# Tables of fewer rows are only read.
MIN_ROWS_OF_BINS = 10


def _cut(
    values: pd.Series, bins: int | None, binning: str | Sequence[float]
) -> tuple[OrderedTarget, Booleans]:
    """Bin numbers into classes; return these and a mask of the rows that have one."""
    name = short(values.name)
    dtype = values.dtype
    if pd.api.types.is_bool_dtype(dtype) or not pd.api.types.is_numeric_dtype(dtype):
        raise ValueError(
            f"target '{name}' is not numeric and cannot be cut into bins: "
            "give the order of its labels instead (order=low,mid,high)"
        )
    classes = bin_target(values, bins, binning)
    if len(values) >= MIN_ROWS_OF_BINS and classes.value_counts().min() == 1:
        raise ValueError(
            f"a class of '{name}' would have a single row: {bins_option(values)} would not"
        )
    has_class = classes.notna().to_numpy(bool)
    labels = tuple(range(1, int(classes.max()) + 1))
    edges = listing(
        [f"{cut:.6g}" for cut in classes.attrs["bin_edges"]], limit=len(labels)
    )
    note = f"'{name}' is binned at {edges} (edges belong to the lower class)"
    return OrderedTarget(classes[has_class].astype("int64"), labels, (note,)), has_class


def fingerprint(X: pd.DataFrame, y: pd.Series) -> str:
    """Return a short hash of names and values that identifies a table."""
    digest = hashlib.sha256()
    for name, column in [*X.items(), (y.name, y)]:
        digest.update(f"{name}\n".encode())
        try:
            hashes = pd.util.hash_pandas_object(column, index=False)
        except (
            TypeError
        ):  # unhashable cells such as lists; the column may be dropped later
            hashes = pd.util.hash_pandas_object(column.map(str), index=False)
        digest.update(hashes.to_numpy().tobytes())
    return digest.hexdigest()[:16]
