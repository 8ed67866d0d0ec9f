"""Folds of cross-validation: training and test rows."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from functools import cached_property
from typing import Self

import numpy as np
from sklearn.model_selection import check_cv

from moselect._types import Array, CrossValidation, Integers, Labels, Table, record
from moselect.samples.samples import Samples

Fold = tuple[Integers, Integers]


@record
class Folds:
    """Folds of cross-validation: the training rows and the test rows of each.

    They are drawn once, and every cross-validation takes them.

    Attributes
    ----------
    splits : tuple of (ndarray of int, ndarray of int)
        Training rows and test rows of each fold, ascending.
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
        """Partition samples at random, stratified by class, with each group in one fold.

        A test sample whose copy is in training would be evaluated on its own training
        data. If each sample is a group of its own, the sizes of folds, and of each class in
        them, differ by one at most.

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
            Number of different partitions.
        seed : int, default=0
            Seed of the random order of the samples of a class.

        Raises
        ------
        ValueError
            If there are fewer than 2 folds or samples.
        """
        if n_folds < 2:
            raise ValueError(f"cv is {n_folds}: there must be at least 2 folds")
        # Groups of a part of a table are not numbered from 0 to g - 1.
        groups = np.unique(groups, return_inverse=True)[1]
        if groups.max() == 0:  # all rows are equal: their labels vary independently
            groups = np.arange(len(codes))
        # Groups are not divided: folds are stratified by the mean class of each.
        if weights is None:
            totals = codes
        else:
            totals = weights * codes
        mean_class = np.bincount(groups, totals) / np.bincount(groups, weights)
        rng = np.random.default_rng(seed)
        splits: list[Fold] = []
        for _ in range(n_repeats):
            # Sorted by class, with random order within a class, and dealt out in turns:
            # class sizes of folds differ by one at most.
            order = np.lexsort((rng.permutation(len(mean_class)), mean_class))
            folds = np.empty(len(mean_class), int)
            folds[order] = np.arange(len(mean_class)) % n_folds
            splits += cls.from_index(folds[groups]).splits
        return cls(tuple(splits), len(codes))

    @classmethod
    def of(
        cls,
        cv: CrossValidation | Folds,
        X: Table,
        groups: Integers,
        codes: Integers,
        seed: int = 0,
    ) -> Folds:
        """Build folds from the ``cv`` parameter of an estimator or of a comparison.

        Parameters
        ----------
        cv : int, Folds, splitter or iterable of (train, test)
            Number of folds, as in `deal`; or any ``cv`` of scikit-learn.
        X : array-like of shape (n, p)
            Features, for splitters that use them.
        groups, codes : ndarray of int, shape (n,)
            As in `deal`.
        seed : int, default=0
            Seed of splitters without a seed of their own.

        Raises
        ------
        ValueError
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
        # A splitter without a seed would give other folds at each call.
        if cv is not None and hasattr(cv, "random_state") and cv.random_state is None:
            cv = copy.copy(cv)
            cv.random_state = seed
        splitter = check_cv(cv, y=codes, classifier=True)
        n = len(codes)
        rows = np.arange(n)
        try:
            # Folds of scikit-learn warn of groups that they do not use.
            with warnings.catch_warnings(action="ignore", category=UserWarning):
                drawn = splitter.split(X, codes, groups)
                # by index or mask
                splits = tuple((rows[train], rows[test]) for train, test in drawn)
        except (IndexError, TypeError, ValueError) as error:
            raise ValueError(
                f"cv must give the (train, test) rows of each fold, of {n} rows: {error}"
            ) from error
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
        """Build folds from the number of the test fold of each sample (n,)."""
        splits = tuple(
            (np.flatnonzero(index != fold), np.flatnonzero(index == fold))
            for fold in range(index.max() + 1)
        )
        return cls(splits, len(index))

    @classmethod
    def forward(cls, times: Integers, n_folds: int) -> Self:
        """Build forward-chaining folds: each is tested after training on all earlier samples.

        Samples are divided by time into ``n_folds`` + 1 parts of about equal size, the
        first part being never tested. Samples of the same time are in the same part.

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
                "most samples are of the last time: too few are earlier to train on"
            )
        return cls.from_parts(parts)

    @classmethod
    def from_parts(cls, parts: Integers) -> Self:
        """Build forward-chaining folds from the part of each sample (n,), the earliest 0.

        Examples
        --------
        >>> [train.tolist() for train, _ in Folds.from_parts(np.array([0, 2, 1, 0]))]
        [[0, 3], [0, 2, 3]]
        """
        splits = tuple(
            (np.flatnonzero(parts < k), np.flatnonzero(parts == k))
            for k in range(1, parts.max() + 1)
        )
        return cls(splits, len(parts))

    @classmethod
    def of_samples(
        cls, samples: Samples, cv: CrossValidation | Folds | None = None
    ) -> Folds:
        """Build the folds of samples, for models of all of their classes.

        A number of folds is of forward-chaining ones if samples have times, else of stratified
        ones: by default five, or as many as the smallest class has samples. ``cv`` as in `of`.
        """
        if cv is not None and not isinstance(cv, int):
            folds = cls.of(cv, samples.X, samples.cv_groups, samples.codes)
            folds.check_classes(samples.codes, samples.classes)
            _ = folds.parts  # ValueError if a sample is held out twice
            return folds
        # Stratification needs a sample of each class in every fold, and two folds at
        # least.
        n_folds = max(2, min(5, samples.class_sizes.min())) if cv is None else cv
        if samples.times is not None:
            return cls.forward(samples.times, n_folds)
        groups = samples.cv_groups
        if cv is not None:
            group_codes = np.unique([groups, samples.codes], axis=1)[1]
            counts = np.bincount(group_codes, minlength=samples.n_classes)
            count = int(counts.min())
            n_folds = min(cv, max(2, count))
            if count < cv:
                unit = "row" if samples.groups is None else "group"
                effect = "cross-validated estimates are less certain"
                if count == 1:
                    effect = "the model that predicts these rows does not know the class"
                warnings.warn(
                    f"class {samples.classes[counts.argmin()]} has {count} {unit}"
                    f"{'s' * (count > 1)}: {n_folds} folds instead of {cv}, so {effect}",
                    stacklevel=3,
                )
        return cls.deal(groups, samples.codes, n_folds)

    def __len__(self) -> int:
        return len(self.splits)

    def __iter__(self) -> Iterator[Fold]:
        return iter(self.splits)

    @cached_property
    def index(self) -> Integers:
        """Test fold of each sample, shape (n,); ValueError unless folds are a partition.

        In a partition each sample is tested once, and is in training in all other folds.
        """
        n = self.n_samples
        index = np.full(n, -1, int)
        for number, (_, test) in enumerate(self.splits):
            index[test] = number
        n_tested = sum(len(test) for _, test in self.splits)
        are_complete = all(len(train) + len(test) == n for train, test in self.splits)
        if n_tested != n or index.min() < 0 or not are_complete:
            raise ValueError(
                "cv is no partition: each sample must be in one test fold, and in training "
                "for all others"
            )
        return index

    @cached_property
    def goes_forward(self) -> bool:
        """Whether folds are forward-chaining: each is tested after all earlier samples."""
        observed = np.unique(self.splits[0][0])
        for train, test in self.splits:
            if not np.array_equal(np.unique(train), observed):
                return False
            observed = np.union1d(train, test)
        return len(observed) == self.n_samples

    @cached_property
    def parts(self) -> Integers:
        """Part of each sample (n,): the number of its test fold.

        In forward-chaining folds numbers begin at 1, and 0 are samples that are never
        tested. ValueError if folds neither go forward nor are a partition.
        """
        if not self.goes_forward:
            return self.index
        parts = np.zeros(self.n_samples, int)
        for number, (_, test) in enumerate(self.splits, start=1):
            parts[test] = number
        return parts

    @cached_property
    def tested(self) -> Integers:
        """Rows of all test folds, ascending."""
        return np.unique(np.concatenate([test for _, test in self.splits]))

    @cached_property
    def order(self) -> Integers:
        """Order of the joined rows of all test folds by sample, and then by fold."""
        return np.argsort(np.concatenate([test for _, test in self]), kind="stable")

    def check_classes(self, codes: Integers, classes: Labels) -> None:
        """Raise ValueError if training rows of a fold lack a class."""
        for number, (train, _) in enumerate(self.splits):
            missing = np.setdiff1d(codes, codes[train])
            if len(missing):
                raise ValueError(
                    f"fold {number} of cv would be fitted without class {classes[missing[0]]}: "
                    "merge the class with a neighbour, or give fewer folds"
                )

    def with_all_classes(self, groups: Integers, codes: Integers) -> Self:
        """Move test samples to training where a fold would be trained without their class.

        Samples of the same groups (n,) are moved, too. A class with a single sample, or
        with copies of one, is never tested. ValueError if no test sample is left.
        """
        splits = []
        for train, test in self.splits:
            missing = np.setdiff1d(codes, codes[train])
            # A test sample must not have a copy in training.
            stays = np.isin(groups[test], groups[np.isin(codes, missing)])
            if not stays.all():
                splits.append((np.union1d(train, test[stays]), test[~stays]))
        if not splits:
            raise ValueError(
                "no samples can be tested: without them, no fold would be trained on all classes"
            )
        return type(self)(tuple(splits), self.n_samples)
