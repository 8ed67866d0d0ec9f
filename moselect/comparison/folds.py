"""The folds on which all models are compared."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold, check_cv

Codes = NDArray[np.int64]
Fold = tuple[Codes, Codes]

N_FOLDS, N_REPEATS = 5, 2


def make_folds(cv: Any, X: Any, codes: Codes, classes: NDArray[Any], seed: int) -> tuple[Fold, ...]:
    """Give the rows to fit to and those held out, of each fold.

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
        If there are no folds, one is empty, or one would be fitted without objects of some class.
    """
    if cv is None or (isinstance(cv, int) and not isinstance(cv, bool)):
        folds = _stratified(cv, codes, seed)
    else:
        if getattr(cv, "random_state", 0) is None:
            cv = copy.copy(cv)
            cv.random_state = seed
        folds = tuple(
            (_rows(train, len(codes)), _rows(test, len(codes)))
            for train, test in check_cv(cv, y=codes, classifier=True).split(X, codes)
        )
    if not folds:
        raise ValueError("cv gives no folds: give at least one (train, test)")
    for number, (train, test) in enumerate(folds):
        if len(test) == 0:
            raise ValueError(f"fold {number} of cv holds nothing out")
        if len(np.intersect1d(train, test)):
            raise ValueError(f"fold {number} of cv holds out objects that it is fitted to")
        missing = np.setdiff1d(codes, codes[train])
        if len(missing):
            raise ValueError(
                f"fold {number} of cv would be fitted without class {classes[missing[0]]}: give "
                "a number of stratified folds (cv=5), or merge the class with a neighbour"
            )
    return folds


def find_repeats(folds: Iterable[Fold]) -> list[list[int]] | None:
    """Group folds such that each group holds every object out that is ever held out, once.

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


def _stratified(n_folds: int | None, codes: Codes, seed: int) -> tuple[Fold, ...]:
    """Split objects class by class; the only object of a class stays where models are fitted."""
    counts = np.bincount(codes)
    k = N_FOLDS if n_folds is None else n_folds
    if k < 2:
        raise ValueError(f"cv is {k}: at least 2 folds are needed")
    if counts.max() < k:
        raise ValueError(
            f"{k} folds are too many: the largest class has {counts.max()} objects, give cv=2"
        )
    alone = np.flatnonzero(counts[codes] == 1)
    others = np.flatnonzero(counts[codes] > 1)
    splitter = (
        RepeatedStratifiedKFold(n_splits=k, n_repeats=N_REPEATS, random_state=seed)
        if n_folds is None
        else StratifiedKFold(k, shuffle=True, random_state=seed)
    )
    with warnings.catch_warnings():
        # Of a class with fewer objects than folds, some folds hold none out, which is documented.
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        splits = list(splitter.split(others, codes[others]))
    return tuple((np.union1d(others[train], alone), others[test]) for train, test in splits)


def _rows(part: Any, n: int) -> Codes:
    """Give the rows of one side of a fold, which may come as a mask."""
    given = np.asarray(part)
    if given.dtype == bool and given.shape == (n,):
        given = np.flatnonzero(given)
    rows = np.asarray(given, dtype=np.int64)
    if rows.ndim != 1 or (len(rows) and not (rows.min() >= 0 and rows.max() < n)):
        raise ValueError(f"a fold of cv names rows that are not among 0 .. {n - 1}")
    return rows
