"""Folds that are stratified by class, also where classes are smaller than the number of folds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv

from moselect._types import Integers


def stratified_folds(codes: Integers, n_folds: Any, rng: np.random.Generator) -> Integers:
    """Deal samples out to folds whose sizes, and those of each class, differ by one at most.

    `sklearn.model_selection.StratifiedKFold` refuses classes that are all smaller than the number
    of folds; here a class with a single sample is in one fold, and there are never more folds than
    samples.

    Parameters
    ----------
    codes : ndarray of shape (n,)
        Class codes.
    n_folds : int
        At least 2.
    rng : Generator
        Orders the samples of each class.

    Returns
    -------
    ndarray of shape (n,)
        Folds 0, 1, ... .

    Raises
    ------
    ValueError
        If there are fewer than 2 folds or samples.

    Examples
    --------
    >>> folds = stratified_folds(np.array([0, 0, 0, 0, 1, 1]), 2, np.random.default_rng(0))
    >>> np.bincount(folds[:4]), np.bincount(folds[4:])
    (array([2, 2]), array([1, 1]))
    """
    if isinstance(n_folds, bool) or not isinstance(n_folds, int | np.integer) or n_folds < 2:
        raise ValueError(f"cv is {n_folds!r}: there must be at least 2 folds")
    if len(codes) < 2:
        raise ValueError(f"folds need at least 2 samples, but there is {len(codes)}")
    folds = np.empty(len(codes), dtype=np.int64)
    order = np.lexsort((rng.permutation(len(codes)), codes))
    folds[order] = np.arange(len(codes)) % min(n_folds, len(codes))
    return folds


def folds_of(cv: Any, X: Any, codes: Integers, rng: np.random.Generator) -> Integers:
    """Return the fold 0, 1, ... of each sample, from a number of folds or a scikit-learn splitter.

    Parameters
    ----------
    cv : int, splitter or iterable of (train, test)
        A number of folds; or splits whose test parts hold every sample once, such as those of
        `sklearn.model_selection.PredefinedSplit`.
    X : array-like of shape (n, p)
        Features, for the splitter.
    codes : ndarray of shape (n,)
        Class codes.
    rng : Generator
        Orders the samples of each class if ``cv`` is a number.

    Returns
    -------
    ndarray of shape (n,)

    Raises
    ------
    ValueError
        If there are fewer than 2 folds, or the test parts are no partition of the samples, or the
        training parts do not hold all others.

    Examples
    --------
    >>> from sklearn.model_selection import PredefinedSplit
    >>> X, codes, rng = np.zeros((4, 1)), np.array([0, 0, 1, 1]), np.random.default_rng(0)
    >>> folds_of(PredefinedSplit([0, 1, 0, 1]), X, codes, rng)
    array([0, 1, 0, 1])
    """
    if isinstance(cv, int | np.integer):
        return stratified_folds(codes, cv, rng)
    splits = list(check_cv(cv, codes, classifier=True).split(X, codes))
    folds = np.full(len(codes), -1, dtype=np.int64)
    for j, (train, test) in enumerate(splits):
        if (folds[test] >= 0).any():
            raise ValueError(f"the splits of cv hold sample {test[folds[test] >= 0][0]} out twice")
        folds[test] = j
        if not np.array_equal(np.sort(train), np.setdiff1d(np.arange(len(codes)), test)):
            raise ValueError(f"split {j} of cv is not fitted to all samples that are not held out")
    if (folds < 0).any():
        raise ValueError(
            f"the splits of cv never hold sample {np.flatnonzero(folds < 0)[0]} out: every sample "
            "must be held out once"
        )
    if len(splits) < 2:
        raise ValueError("cv has one split only: there must be at least 2 folds")
    return folds


def weighted_folds(
    cv: Any, X: Any, codes: Integers, counted: NDArray[np.bool_], rng: np.random.Generator
) -> Integers:
    """Return the fold of each sample; those that do not count take part in no dealing.

    Parameters are those of `folds_of`; ``counted`` (n,) are the samples with weight. A number of
    folds is dealt out among these, and all others, which are never fitted, are in fold 0.
    """
    if not isinstance(cv, int | np.integer):
        return folds_of(cv, X, codes, rng)
    folds = np.zeros(len(codes), dtype=np.int64)
    folds[counted] = stratified_folds(codes[counted], cv, rng)
    return folds
