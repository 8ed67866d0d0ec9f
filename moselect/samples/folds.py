"""Folds: ways to divide samples into those fitted to and those held out."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from sklearn.model_selection import check_cv

from moselect._protocols import Table
from moselect._types import Array, Integers, Labels
from moselect.samples.samples import Samples

Fold = tuple[Integers, Integers]


@dataclass(frozen=True, eq=False)
class Folds:
    """Pairs of rows: those that models are fitted to, and those on which they are judged.

    They are drawn once, and every cross-validation takes them.

    Attributes
    ----------
    splits : tuple of (ndarray of int, ndarray of int)
        Rows to fit to and rows held out, ascending, of each fold.
    n_samples : int
        Number of samples n.

    Examples
    --------
    >>> groups, codes = np.array([0, 0, 1, 2]), np.array([0, 0, 1, 1])
    >>> folds = Folds.deal(groups, codes, 2)
    >>> bool(folds.index[0] == folds.index[1])  # of one group
    True
    """

    splits: tuple[Fold, ...]
    n_samples: int

    @classmethod
    def deal(
        cls,
        groups: Integers,
        codes: Integers,
        n_folds: int = 5,
        weights: Array | None = None,
        *,
        n_repeats: int = 1,
        seed: int = 0,
    ) -> Self:
        """Deal samples out, stratified by class, with each group in one fold.

        Leaving out a sample but not its copy would leak the copy into training. If each sample
        is a group of its own, the sizes of folds, and of each class in them,
        differ by one at most.

        Parameters
        ----------
        groups : ndarray of int, shape (n,)
            Group of each sample, such as `Samples.cv_groups`.
        codes : ndarray of int, shape (n,)
            Class codes.
        n_folds : int, default=5
            Number of folds; never more than there are groups.
        weights : ndarray of shape (n,), optional
            Weights of the samples, at least one positive in each group.
        n_repeats : int, default=1
            How often all samples are dealt out, each time in another way.
        seed : int, default=0
            Of the order in which samples of a class are dealt.

        Raises
        ------
        ValueError
            If there are fewer than 2 folds or samples.
        """
        if n_folds < 2:
            raise ValueError(f"cv is {n_folds}: there must be at least 2 folds")
        if len(codes) < 2:
            raise ValueError(f"folds need at least 2 samples, but there is {len(codes)}")
        # some may be in other parts of a table
        groups = np.unique(groups, return_inverse=True)[1]
        if groups.max() == 0:  # all rows are equal: none says anything about another
            groups = np.arange(len(codes))
        # Groups are not divided: folds are stratified by the mean class of each.
        totals = codes if weights is None else weights * codes
        mean_class = np.bincount(groups, totals) / np.bincount(groups, weights)
        rng = np.random.default_rng(seed)
        splits = []
        for _ in range(n_repeats):
            # Sorted by class, with random order within a class, and dealt out in turns:
            # class sizes of folds differ by one at most.
            order = np.lexsort((rng.permutation(len(mean_class)), mean_class))
            folds = np.empty(len(mean_class), dtype=np.int64)
            folds[order] = np.arange(len(mean_class)) % n_folds
            splits += _splits_of(folds[groups])
        return cls(tuple(splits), len(codes))

    @classmethod
    def of(
        cls, cv: Any, X: Table, groups: Integers, codes: Integers, seed: int = 0
    ) -> Folds:
        """Return the folds that a user asks for.

        Parameters
        ----------
        cv : int, Folds, splitter or iterable of (train, test)
            A number of folds, to be dealt as `deal` does; or what scikit-learn takes.
        X : array-like of shape (n, p)
            Features, for splitters that ask for them.
        groups, codes : ndarray of int, shape (n,)
            As in `deal`.
        seed : int, default=0
            Of the folds, where a splitter has no seed of its own.

        Raises
        ------
        ValueError, IndexError
            If there are no folds, or one is empty or names rows that do not exist.
        """
        if isinstance(cv, Folds):
            if cv.n_samples != len(codes):
                raise ValueError(
                    f"cv is of {cv.n_samples} samples, but there are {len(codes)}"
                )
            return cv
        if isinstance(cv, int | np.integer):
            return cls.deal(groups, codes, int(cv), seed=seed)
        # A splitter without a seed would deal anew at each call, and folds would differ.
        if getattr(cv, "random_state", 0) is None:
            cv = copy.copy(cv)
            cv.random_state = seed
        splitter = check_cv(cv, y=codes, classifier=True)
        n = len(codes)
        # Folds of scikit-learn warn of groups that they do not use.
        with warnings.catch_warnings(action="ignore", category=UserWarning):
            drawn = list(splitter.split(X, codes, groups))
        # by index or mask
        rows = np.arange(n)
        splits = tuple((rows[train], rows[test]) for train, test in drawn)
        if not splits:
            raise ValueError("cv gives no folds: give at least one (train, test)")
        for number, (train, test) in enumerate(splits):
            if not (len(train) and len(test)):
                raise ValueError(
                    f"fold {number} of cv has no training or no test samples"
                )
            if np.isin(test, train).any():
                raise ValueError(
                    f"fold {number} of cv has test samples among its training samples"
                )
        return cls(splits, n)

    @classmethod
    def from_index(cls, index: Integers) -> Self:
        """Return the folds of a partition, from the fold of each sample (n,)."""
        return cls(tuple(_splits_of(index)), len(index))

    @classmethod
    def forward(cls, times: Integers, n_folds: int) -> Self:
        """Return folds of time: each is held out from models of all samples before it.

        Samples are divided by time into ``n_folds`` + 1 parts of about one size, the
        first one never held out. Samples of one time are in one part.

        Examples
        --------
        >>> [test.tolist() for _, test in Folds.forward(np.array([3, 1, 2, 2, 0, 4]), 2)]
        [[2, 3], [0, 5]]
        """
        # Samples of one time share the number of earlier ones, and so the part.
        before = np.searchsorted(np.sort(times), times)  # samples of earlier times
        parts = np.unique(before * (n_folds + 1) // len(times), return_inverse=True)[1]
        if parts.max() == 0:
            raise ValueError(
                "most samples are of the last time: too few are earlier to fit to"
            )
        splits = tuple(
            (np.flatnonzero(parts < k), np.flatnonzero(parts == k))
            for k in range(1, int(parts.max()) + 1)
        )
        return cls(splits, len(times))

    @classmethod
    def of_samples(cls, samples: Samples, n_folds: int | None = None) -> Self:
        """Return the folds of cross-validation: dealt out, or forward in time.

        By default there are five, or as many as the smallest class has samples.
        """
        # Stratification needs a sample of each class in every fold, and two folds at
        # least.
        if n_folds is None:
            n_folds = max(2, min(5, int(samples.class_sizes.min())))
        if samples.times is not None:
            return cls.forward(samples.times, n_folds)
        return cls.deal(samples.cv_groups, samples.codes, n_folds)

    def __len__(self) -> int:
        return len(self.splits)

    def __iter__(self) -> Iterator[Fold]:
        return iter(self.splits)

    @cached_property
    def index(self) -> Integers:
        """Fold of each sample, shape (n,); ValueError if they are no partition.

        Then a sample is held out twice or never, or is neither fitted to nor held out.
        """
        index = np.full(self.n_samples, -1, dtype=np.int64)
        for number, (train, test) in enumerate(self.splits):
            if (index[test] >= 0).any():
                raise ValueError(
                    f"the folds hold sample {test[index[test] >= 0][0]} out twice"
                )
            if len(train) + len(test) < self.n_samples:
                raise ValueError(
                    f"fold {number} does not train on all samples outside its test part"
                )
            index[test] = number
        if (index < 0).any():
            raise ValueError(f"the folds never hold sample {np.argmin(index)} out")
        return index

    @cached_property
    def goes_forward(self) -> bool:
        """Whether each fold is held out from models of all earlier samples."""
        observed = np.unique(self.splits[0][0])
        for train, test in self.splits:
            if not np.array_equal(np.unique(train), observed):
                return False
            observed = np.union1d(train, test)
        return len(observed) == self.n_samples

    @cached_property
    def parts(self) -> Integers:
        """Part of each sample (n,): its fold; if they go forward 1 more, 0 for the first.

        ValueError if folds neither go forward nor hold every sample out once.
        """
        if not self.goes_forward:
            return self.index
        parts = np.zeros(self.n_samples, dtype=np.int64)
        for number, (_, test) in enumerate(self.splits, start=1):
            parts[test] = number
        return parts

    @cached_property
    def held_out(self) -> Integers:
        """Rows that some fold holds out, ascending."""
        return np.unique(np.concatenate([test for _, test in self.splits]))

    def check_classes(self, codes: Integers, classes: Labels) -> None:
        """Raise ValueError if a fold would be fitted without samples of some class."""
        for number, (train, _) in enumerate(self.splits):
            missing = np.setdiff1d(codes, codes[train])
            if len(missing):
                raise ValueError(
                    f"fold {number} of cv would be fitted without class {classes[missing[0]]}: "
                    "merge the class with a neighbour, or give fewer folds"
                )

    def with_all_classes(self, groups: Integers, codes: Integers) -> Self:
        """Return folds that are fitted to all classes.

        Where a fold holds all samples of a class out, these and those equal to them are
        fitted to instead. So a class with a single sample, or with equal ones only, is
        never held out.

        Parameters
        ----------
        groups, codes : ndarray of int, shape (n,)
            As in `deal`. ValueError if nothing can be held out then.
        """
        splits = []
        for train, test in self.splits:
            missing = np.setdiff1d(codes, codes[train])
            # Samples equal to a missing class's rows stay, too: holding them out would
            # leak their copies.
            stays = np.isin(groups[test], groups[np.isin(codes, missing)])
            if not stays.all():
                splits.append((np.union1d(train, test[stays]), test[~stays]))
        if not splits:
            raise ValueError(
                "no samples can be held out: without them, no fold would have all classes to fit to"
            )
        return type(self)(tuple(splits), self.n_samples)


def _splits_of(index: Integers) -> list[Fold]:
    return [
        (np.flatnonzero(index != fold), np.flatnonzero(index == fold))
        for fold in range(int(index.max()) + 1)
    ]
