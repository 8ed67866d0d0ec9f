"""The folds on which all models are compared."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import RepeatedStratifiedKFold, check_cv

from moselect._types import Integers

Fold = tuple[Integers, Integers]

N_FOLDS, N_REPEATS = 5, 2


def stratified_folds(
    codes: Integers, n_folds: int = N_FOLDS, n_repeats: int = N_REPEATS, random_state: int = 0
) -> tuple[Fold, ...]:
    """Split samples class by class, such that every class is in every training part.

    Parameters
    ----------
    codes : ndarray of shape (n,)
        Class codes. The only sample of a class is never held out, and a class with fewer samples
        than folds is not held out in all of them.
    n_folds, n_repeats : int
        Folds of a repeat, at least 2, and repeats.
    random_state : int
        Seed.

    Returns
    -------
    tuple of (train, test)
        Rows of each fold, the folds of a repeat one after the other.

    Raises
    ------
    ValueError
        If numbers are too small, or no class has a sample for each fold.

    Examples
    --------
    >>> train, test = stratified_folds(np.array([0, 0, 1, 1]), n_folds=2, n_repeats=1)[0]
    >>> len(train), len(test)
    (2, 2)
    """
    counts = np.bincount(codes)
    if n_folds < 2 or n_repeats < 1:
        raise ValueError(f"{n_folds} folds, {n_repeats} repeats: at least 2 and 1 are needed")
    if counts.max() < n_folds:
        raise ValueError(
            f"{n_folds} folds are too many: the largest class has {counts.max()} samples"
        )
    alone = np.flatnonzero(counts[codes] == 1)
    others = np.flatnonzero(counts[codes] > 1)
    splitter = RepeatedStratifiedKFold(
        n_splits=n_folds, n_repeats=n_repeats, random_state=random_state
    )
    with warnings.catch_warnings():  # of a class with fewer samples than folds, as documented
        warnings.simplefilter("ignore")
        splits = list(splitter.split(others, codes[others]))
    return tuple((np.union1d(others[train], alone), others[test]) for train, test in splits)


def make_folds(
    cv: Any, X: Any, codes: Integers, classes: NDArray[Any], seed: int
) -> tuple[Fold, ...]:
    """Return the rows to fit to and those held out, of each fold.

    Parameters
    ----------
    cv : None, int, splitter or iterable
        None is five stratified folds, twice; an int is so many stratified folds, once.
    X : array-like of shape (n, p)
        Features, for splitters that ask for them.
    codes : ndarray of shape (n,)
        Class codes.
    classes : ndarray of shape (r,)
        Class labels, for messages.
    seed : int
        Of the folds, where a splitter has no seed of its own.

    Raises
    ------
    ValueError
        If there are no folds, one is empty, or one would be fitted without samples of some class.
    """
    if cv is None or (isinstance(cv, int) and not isinstance(cv, bool)):
        folds = stratified_folds(codes, *((N_FOLDS, N_REPEATS) if cv is None else (cv, 1)), seed)
    else:
        if getattr(cv, "random_state", 0) is None:
            cv = copy.copy(cv)
            cv.random_state = seed
        folds = tuple(
            (_rows(train, len(codes)), _rows(test, len(codes)))
            for train, test in check_cv(cv, y=codes, classifier=True).split(X, codes)
        )
    check_folds(folds, codes, classes)
    return folds


def find_repeats(folds: Iterable[Fold]) -> list[list[int]] | None:
    """Group folds such that each group holds every sample out that is ever held out, once.

    Returns
    -------
    list of list of int, or None
        Numbers of the folds of each repeat; None if they cannot be grouped so in their order.
    """
    tests = [test for _, test in folds]
    everything = np.unique(np.concatenate(tests))
    repeats: list[list[int]] = [[]]
    seen: set[int] = set()
    for number, test in enumerate(tests):
        if len(seen) == len(everything):
            repeats.append([])
            seen = set()
        if not seen.isdisjoint(test.tolist()):
            return None
        seen.update(test.tolist())
        repeats[-1].append(number)
    return repeats if len(seen) == len(everything) else None


def check_folds(folds: Sequence[Fold], codes: Integers, classes: NDArray[Any]) -> None:
    """Raise ValueError if models cannot be compared on these folds; see `make_folds`."""
    if not folds:
        raise ValueError("cv gives no folds: give at least one (train, test)")
    for number, (train, test) in enumerate(folds):
        if len(test) == 0:
            raise ValueError(f"fold {number} of cv holds nothing out")
        if len(np.intersect1d(train, test)):
            raise ValueError(f"fold {number} of cv holds out samples that it is fitted to")
        missing = np.setdiff1d(codes, codes[train])
        if len(missing):
            raise ValueError(
                f"fold {number} of cv would be fitted without class {classes[missing[0]]}: give "
                "a number of stratified folds (cv=5), or merge the class with a neighbour"
            )


def _rows(part: Any, n: int) -> Integers:
    """Return the rows of one side of a fold, which may come as a mask."""
    given = np.asarray(part)
    if given.dtype == bool and given.shape == (n,):
        given = np.flatnonzero(given)
    rows = np.asarray(given, dtype=np.int64)
    if rows.ndim != 1 or (len(rows) and not (rows.min() >= 0 and rows.max() < n)):
        raise ValueError(f"a fold of cv names rows that are not among 0 .. {n - 1}")
    return rows
