"""Samples: a table and the classes of its rows, checked once."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect._types import Floats, Integers
from moselect.features import feature_matrix, feature_names
from moselect.labels import class_labels, encode_labels

FEWEST_OF_A_CLASS = 50  # in a part that is drawn, or all that there are


@dataclass(frozen=True, eq=False)
class Samples:
    """Features and class codes of the same samples.

    `Samples.from_table` checks and encodes what users have; nothing behind it does so again.

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

    Examples
    --------
    >>> samples = Samples.from_table([[0.5], [1.5]], ["low", "high"], labels=["low", "high"])
    >>> samples.codes
    array([0, 1])
    """

    X: Any
    codes: Integers
    classes: NDArray[Any]
    feature_names: tuple[str, ...] | None = None

    @classmethod
    def from_table(
        cls,
        X: ArrayLike | pd.DataFrame,
        y: ArrayLike,
        labels: Sequence[Any] | NDArray[Any] | None = None,
    ) -> Self:
        """Check a table of numbers and encode its labels.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Finite numeric features.
        y : array-like of shape (n,)
            Ordinal labels.
        labels : sequence, optional
            Class labels, lowest first. Strings need it unless they are an ordered Categorical.

        Raises
        ------
        ValueError
            If features are not finite numbers, labels are missing or of no known order, lengths
            differ, or a class has no samples.
        """
        values = feature_matrix(X)
        classes = class_labels(y, labels)
        codes = encode_labels(y, classes)
        check_classes(values, codes, classes)
        return cls(values, codes, classes, feature_names(X))

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def n_classes(self) -> int:
        """Number of classes r."""
        return len(self.classes)

    @cached_property
    def class_counts(self) -> Integers:
        """Number of samples of each class, shape (r,)."""
        return np.bincount(self.codes, minlength=self.n_classes)

    @cached_property
    def groups(self) -> Integers:
        """Group of each sample, shape (n,): rows with equal features are in one group."""
        return equal_rows(self.X)

    def take(self, rows: NDArray[Any]) -> Self:
        """Return the samples at some indices, or where a mask is True."""
        taken = self.X.iloc[rows] if isinstance(self.X, pd.DataFrame) else self.X[rows]
        return replace(self, X=taken, codes=self.codes[rows])

    def with_features(self, values: Floats, names: Sequence[str] | None) -> Self:
        """Return the same samples with other features (n, q)."""
        return replace(self, X=values, feature_names=None if names is None else tuple(names))

    def draw(self, size: int, seed: int = 0) -> Self:
        """Return the samples at `draw_rows`; all if there are no more than ``size``."""
        return self if size >= len(self) else self.take(self.draw_rows(size, seed))

    def draw_rows(self, size: int, seed: int = 0) -> Integers:
        """Draw the indices of about ``size`` samples, stratified by class, ascending.

        Every class keeps at least 50 samples, or all that it has. Of the same seed, larger parts
        contain the smaller ones.

        Examples
        --------
        >>> samples = Samples(np.zeros((1_000, 1)), np.arange(1_000) % 2, np.array([1, 2]))
        >>> samples.draw(200).class_counts
        array([100, 100])
        """
        if size >= len(self):
            return np.arange(len(self))
        rng = np.random.default_rng(seed)
        kept = np.zeros(len(self), dtype=np.bool_)
        for k, count in enumerate(self.class_counts.tolist()):
            members = rng.permutation(np.flatnonzero(self.codes == k))
            kept[members[: max(round(count * size / len(self)), FEWEST_OF_A_CLASS)]] = True
        return np.flatnonzero(kept)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all features, which are numbers, and class codes."""
        digest = hashlib.sha256()
        for column in (*self.X.T, self.codes):
            digest.update(np.ascontiguousarray(column).data)
        return digest.hexdigest()

    def warn_of_constant_features(self) -> None:
        """Warn of constant features, unless all are, which is an error elsewhere."""
        constant = np.flatnonzero(np.ptp(self.X, axis=0) == 0.0)
        if 0 < len(constant) < self.X.shape[1]:
            names = self.feature_names
            listed = ", ".join(names[int(j)] if names else str(j) for j in constant)
            warnings.warn(
                f"constant columns are left out (weight 0): {listed}", UserWarning, stacklevel=3
            )


def equal_rows(X: Any) -> Integers:
    """Return the group (n,) of each row of an array or DataFrame: equal rows are in one group.

    Examples
    --------
    >>> equal_rows(pd.DataFrame({"vehicle": ["van", "car", "van"], "age": [1.0, 2.0, 1.0]}))
    array([0, 1, 0])
    """
    if X.shape[1] == 0:
        return np.zeros(len(X), dtype=np.int64)
    if isinstance(X, pd.DataFrame):
        columns = (X.iloc[:, j] for j in range(X.shape[1]))
        X = np.column_stack([_numbers_or_ranks(column) for column in columns])
    return np.asarray(np.unique(X, axis=0, return_inverse=True)[1], dtype=np.int64).ravel()


def check_classes(X: Any, codes: Integers, classes: NDArray[Any], *, fewest: int = 1) -> None:
    """Raise ValueError unless rows have labels and every class has at least ``fewest`` samples.

    Examples
    --------
    >>> X, codes = np.zeros((3, 1)), np.array([0, 0, 1])
    >>> check_classes(X, codes, np.array(["low", "high"]))
    >>> check_classes(X, codes, np.array(["low", "high"]), fewest=2)
    Traceback (most recent call last):
    ValueError: class high has a single sample: merge it with a neighbouring class
    """
    if len(codes) != len(X):
        raise ValueError(f"X has {len(X)} rows but y has {len(codes)} labels")
    if len(codes) == 0:
        raise ValueError("there are no rows: X and y are empty")
    if len(classes) < 2:
        raise ValueError(f"y has one class only ({classes[0]}): there is nothing to order")
    counts = np.bincount(codes, minlength=len(classes))
    for label, count in zip(classes, counts, strict=True):
        if count == 0:
            raise ValueError(f"class {label} has no samples: drop it from the labels")
        if count < fewest:
            raise ValueError(
                f"class {label} has a single sample: merge it with a neighbouring class"
            )


def _numbers_or_ranks(column: pd.Series) -> Floats:
    """Return numbers as they are, and other cells as the index of their first appearance."""
    kind = column.dtype
    if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind):
        numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
        if np.isfinite(numbers).all():
            return numbers
    return pd.factorize(column)[0].astype(np.float64)
