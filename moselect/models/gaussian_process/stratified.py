"""A random part of the samples in which every class has its share."""

from __future__ import annotations

import numpy as np

from moselect._types import Integers


def stratified_rows(codes: Integers, size: int, rng: np.random.Generator) -> Integers:
    """Draw samples so that each class has its share, and at least one.

    Parameters
    ----------
    codes : ndarray of shape (n,)
        Class codes.
    size : int
        Samples wanted, at least as many as classes.
    rng : Generator
        Draws.

    Returns
    -------
    ndarray of int
        Ascending indices; all if there are not more than ``size``.
    """
    if len(codes) <= size:
        return np.arange(len(codes))
    order = rng.permutation(len(codes))
    turn = np.empty(len(codes))
    for k in np.unique(codes):
        members = order[codes[order] == k]
        turn[members] = np.arange(len(members)) / len(members)
    return np.sort(np.argsort(turn, kind="stable")[:size])
