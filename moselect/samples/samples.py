"""Samples: features, class codes, weights and groups, validated once."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Array, Floats, Integers, Labels, Table, record
from moselect.labels.labels import check_classes, encode
from moselect.listing import listing
from moselect.samples.duplicates import duplicate_groups
from moselect.samples.weights import WeightType, stated_weights
from moselect.tables.cells import read_content
from moselect.tables.features import (
    NO_DIRECTION,
    TEXT,
    ColumnContent,
    Schema,
    feature_matrix,
    feature_names,
    signs_of,
    with_values,
)
from moselect.tables.schema import read_times
from moselect.validation import check_aligned, ranks_of, weights_or_ones


@record
class Samples:
    """Features and class codes of samples, with classes, weights and groups.

    `Samples.from_table` validates and encodes tables of users, once.

    Attributes
    ----------
    X : ndarray of shape (n, p), or DataFrame
        Finite features in their own units; or a table of any columns, to be prepared.
    codes : ndarray of int, shape (n,)
        Class codes 0 .. r - 1.
    classes : ndarray of shape (r,)
        Class labels, lowest first.
    feature_names : tuple of str or None
        Names of the p features, if they have any.
    weights : ndarray of shape (n,) or None
        Relative weights, above 0: of a survey, or of a subsample that represents all
        samples. None: equal weights.
    groups : ndarray of int, shape (n,), or None
        Clusters given by the user: samples of different groups are independent.
    times : ndarray of int, shape (n,), or None
        Ranks of the times, in each group of the last one, for forward-chaining folds.
    copy_groups : ndarray of int, shape (n,), or None
        Copies of one sample share a group (`duplicate_groups`). None: to be found in X.
    remarks : tuple of str
        Remarks on columns, weights, and rows that may be related although folds divide them.
    directions : mapping of str to {1, -1}
        Columns of the table with which the class may only rise or only fall.
    signs : ndarray of int, shape (p,), or None
        Direction of each feature, 0 for any. None: no directions.
    schema : mapping of str to ColumnContent, or None
        Content of each column of a table that needs preprocessing. None: all are finite
        numbers.
    block_length : float
        Length, in correlation lengths, of groups that are blocks of serially dependent samples
        (`in_blocks`); infinite for other groups.
    rows : ndarray of int, shape (n,), or None
        Row of each sample in the user's table. None: 0 .. n - 1.

    Examples
    --------
    >>> samples = Samples.from_table([[0.5], [1.5]], ["low", "high"], labels=["low", "high"])
    >>> samples.codes
    array([0, 1])
    """

    X: Any
    codes: Integers
    classes: Labels
    feature_names: tuple[str, ...] | None = None
    weights: Floats | None = None
    groups: Integers | None = None
    times: Integers | None = None
    copy_groups: Integers | None = None
    remarks: tuple[str, ...] = ()
    rows: Integers | None = None
    directions: Mapping[str, int] = field(default_factory=dict)
    signs: Integers | None = None
    schema: Schema | None = None
    block_length: float = math.inf

    @classmethod
    def from_table(
        cls,
        X: Table,
        y: ArrayLike,
        labels: Sequence[object] | Labels | None = None,
    ) -> Self:
        """Check a table of numbers and encode its labels.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Finite numeric features.
        y : array-like of shape (n,)
            Ordinal labels.
        labels : sequence, optional
            Class labels, lowest first. Strings need it unless they are an ordered
            Categorical.

        Raises
        ------
        ValueError
            If features are not finite numbers, labels are missing or of no known order,
            lengths differ, or a class has no samples.
        """
        values = feature_matrix(X)
        check_aligned(X=X, y=y)
        classes, codes = encode(y, labels)
        check_classes(values, codes, classes)
        return cls(values, codes, classes, feature_names(X))

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def n_classes(self) -> int:
        """Number of classes r."""
        return len(self.classes)

    def content_of(self, name: str) -> ColumnContent:
        """Return the content of a column."""
        if self.schema is None:
            return ColumnContent()
        return self.schema[name]

    def with_directions(self, directions: Mapping[str, int]) -> Self:
        """Return the samples with directions of columns.

        ValueError if such a column holds dates, or levels of no known order.
        """
        for name in directions:
            content = self.content_of(name)
            if content.content_type in ("date", "levels") and not content.order:
                raise ValueError(f"column {name!r} has no order: {NO_DIRECTION}")
        return replace(self, directions=directions)

    @property
    def observed(self) -> pd.DataFrame | Array:
        """Columns of the table that distinguish copies: without keys and dropped columns.

        Numbers are those that the schema reads in text and objects. The ensemble uses text,
        too.
        """
        if self.schema is None:
            return self.X
        used = [n for n, c in self.schema.items() if c.excluded in ("", TEXT)]
        table = self.X[used]
        numbers = {
            name: read_content(table[name], self.schema[name])[0]
            for name in table.select_dtypes(["object", "string"])
            if self.schema[name].content_type not in ("date", "levels")
        }
        return with_values(table, numbers)

    @cached_property
    def class_sizes(self) -> Integers:
        """Unweighted number of samples of each class, shape (r,)."""
        return np.bincount(self.codes, minlength=self.n_classes)

    @cached_property
    def class_weights(self) -> Any:
        """Total weight of each class, (r,): the denominator of measures."""
        if self.weights is None:
            return self.class_sizes
        return np.bincount(self.codes, self.weights, minlength=self.n_classes)

    @property
    def sample_weight_or_ones(self) -> Floats:
        """Weight of each sample, shape (n,)."""
        return weights_or_ones(self.weights, len(self))

    def with_sample_info(
        self,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        times: ArrayLike | None = None,
        weight_type: WeightType | None = None,
    ) -> Self:
        """Validate weights, groups and times, and return the samples with them.

        Counts repeat samples, as in `weighted`. ValueError if lengths differ or
        values are missing.
        """
        n = len(self)
        groups = ranks_of("groups", groups, n)
        if times is not None:
            times = ranks_of("times", read_times(times), n)
        # A group is in one fold, so it needs a single time: the last one of its samples, because
        # no sample may be predicted by a model trained on later ones.
        if groups is not None and times is not None:
            last = np.zeros(n, int)
            np.maximum.at(last, groups, times)
            times = last[groups]
        samples = replace(self, groups=groups, times=times, rows=np.arange(n))
        if sample_weight is not None or weight_type is not None:
            samples = samples.weighted(sample_weight, weight_type, self.codes)
            lost = samples.classes[samples.class_sizes == 0]
            if len(lost):
                raise ValueError(
                    f"class {listing(lost)} has no sample of positive weight: leave out its rows"
                )
        # Folds of a single group have no training samples.
        if samples.groups is not None and np.ptp(samples.groups) == 0:
            raise ValueError("groups has one group only: cross-validation needs several")
        return samples

    def weighted(
        self,
        sample_weight: ArrayLike | None,
        weight_type: WeightType | None = None,
        y: ArrayLike | None = None,
    ) -> Self:
        """Return the samples of positive weight, repeated by counts, as in `stated_weights`.

        A warning names the type of the weights if whole numbers leave it open.
        """
        n = len(self)
        weights, counts, remark = stated_weights(sample_weight, n, weight_type, self.X, y)
        if weights is None:
            return self
        relative = None
        if counts is not None:
            rows = np.repeat(np.arange(n), counts)
        else:
            rows = np.flatnonzero(weights)
            kept = weights[rows]
            if np.ptp(kept) > 0.0:
                # Relative weights get mean 1, so that sums of weights compare with numbers of
                # samples.
                relative = kept * (len(rows) / kept.sum())
        samples = replace(self.take(rows), weights=relative)
        if remark:
            warnings.warn(remark, stacklevel=2)
            samples = replace(samples, remarks=(*self.remarks, remark))
        # If every sample is a group, those that it counts are independent, too.
        if self.groups is not None and self.n_units == n:
            samples = replace(samples, groups=np.arange(len(rows)))
        return samples

    @cached_property
    def cv_groups(self) -> Integers:
        """Group 0 .. g - 1 of each sample (n,) that is kept in one fold of cross-validation."""
        # Groups of the user take precedence over duplicates.
        if self.groups is not None:
            return self.units
        if self.copy_groups is None:
            return duplicate_groups(self.X, self.codes)
        return np.unique(self.copy_groups, return_inverse=True)[1]

    @cached_property
    def units(self) -> Integers:
        """Number 0 .. u - 1 of the independent sample or group of each sample (n,)."""
        if self.groups is None:
            return np.arange(len(self))
        return np.unique(self.groups, return_inverse=True)[1]

    @property
    def n_units(self) -> int:
        """Number u of independent samples or groups."""
        return int(self.units.max(initial=-1)) + 1

    def sum_by_cluster(self, influences: Floats) -> Floats:
        """Sum influences (..., n) of samples on a mean to influences of clusters (..., u).

        Clusters are the groups, or single samples. The squared standard error of the mean is
        the sandwich estimate for u independent values, sum (w influence)^2 / (sum w)^2 times
        u / (u - 1).

        Examples
        --------
        >>> samples = Samples(np.zeros((4, 1)), np.array([0, 1, 0, 1]), np.arange(2))
        >>> grouped = replace(samples, groups=np.array([0, 0, 1, 1]))
        >>> grouped.sum_by_cluster(np.array([1.0, 2.0, -1.0, -2.0]))
        array([ 1.5, -1.5])
        """
        if self.weights is not None:
            # Weights of mean 1: the influence of a sample is then that on the weighted
            # mean.
            influences = influences * (self.weights * (len(self) / self.weights.sum()))
        if self.groups is None:
            return influences
        sums = np.zeros((*influences.shape[:-1], self.n_units))
        np.add.at(sums.T, self.units, influences.T)
        # The mean of u sums equals the mean of n influences.
        return sums * (self.n_units / len(self))

    def in_use(self, ratios: Floats) -> Self:
        """Multiply weights by the ratio (r,) of the prior of each class to its share."""
        if (ratios == 1.0).all():
            return self
        # Class weights of the table times the ratio of use: a prior shift (Saerens et al.
        # 2002).
        return replace(self, weights=self.sample_weight_or_ones * ratios[self.codes])

    def take(self, rows: Array) -> Self:
        """Return the samples at some indices, or where a mask is True."""
        if isinstance(self.X, pd.DataFrame):
            taken = self.X.iloc[rows]
        else:
            taken = self.X[rows]
        row_values = {
            name: values[rows]
            for name in ("weights", "groups", "times", "copy_groups", "rows")
            if (values := getattr(self, name)) is not None
        }
        return replace(self, X=taken, codes=self.codes[rows], **row_values)

    def with_features(
        self,
        values: Floats,
        names: tuple[str, ...] | None,
        signs: Integers | None = None,
    ) -> Self:
        """Replace the features by others (n, q), with their names and directions."""
        return replace(self, X=values, feature_names=names, signs=signs)

    def without_features(self, **changes: Any) -> Self:
        """Return the samples without features, with other changes of attributes."""
        return replace(self, X=np.empty((len(self), 0)), **changes)

    def signs_of(self, names: Sequence[str] | None, n: int) -> Integers | None:
        """Return the direction of each of n features; None if there are no directions."""
        if self.directions:
            return signs_of(self.directions, names, n)
        return None

    def warn_of_constant_features(self) -> None:
        """Warn of constant features; if all are constant, fits raise an error."""
        constant = np.flatnonzero(np.ptp(self.X, axis=0) == 0.0)
        if 0 < len(constant) < self.X.shape[1]:
            names = self.feature_names
            listed = listing(names[j] if names else j for j in constant)
            warnings.warn(
                f"constant columns are excluded (weight 0): {listed}",
                stacklevel=3,
            )
