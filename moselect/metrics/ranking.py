"""How well scores rank objects of ordered classes (Waegeman, De Baets, Boullart 2008)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect._kernels.chains import count_chains, find_runs, ranking_measures
from moselect._kernels.scores import code_bits
from moselect.metrics.labels import class_labels, encode_labels


def ranking_scores(
    y_true: ArrayLike, y_score: ArrayLike, *, labels: Sequence[Any] | None = None
) -> NDArray[np.float64]:
    """Give VUS, U_cons, U_ovo and U_pairs of one ranking at once.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Ordinal labels.
    y_score : array-like of shape (n,)
        Scores; higher means a higher class. Equal scores of different classes count as wrong.
    labels : sequence, optional
        All classes, lowest first; by default those of ``y_true`` in their order.

    Returns
    -------
    ndarray of shape (4,)
        Each between 0 and 1, higher is better. A random ranking has 1 / r! and three times 1/2
        (lemma 3.3).

    Raises
    ------
    ValueError
        If lengths differ, scores are not finite, or a class has no objects.

    Examples
    --------
    >>> ranking_scores([1, 2, 2, 3], [0.1, 0.2, 0.4, 0.3])
    array([0.5       , 0.8333..., 0.8333..., 0.8       ])
    """
    classes = class_labels(y_true, labels)
    codes = encode_labels(y_true, classes)
    scores = np.asarray(y_score, dtype=np.float64)
    if scores.shape != codes.shape:
        raise ValueError(f"y_true has shape {codes.shape} but y_score has shape {scores.shape}")
    if not np.isfinite(scores).all():
        where = int(np.flatnonzero(~np.isfinite(scores))[0])
        raise ValueError(f"y_score[{where}] is {scores[where]}: scores must be finite")
    r = len(classes)
    counts = np.bincount(codes, minlength=r)
    if r < 2 or (counts == 0).any():
        empty = ", ".join(str(c) for c in classes[counts == 0])
        missing = f"class {empty} has none" if empty else f"only class {classes[0]} is there"
        raise ValueError(f"ranking measures need objects of every class: {missing}")
    # Dense ranks keep exactly the ties that the scores have, which rounded score keys would not.
    ranks = np.unique(scores, return_inverse=True)[1].astype(np.int64)
    bits = code_bits(r)
    keys = np.sort((ranks << bits) | (r - 1 - codes))
    n = len(keys)
    run_class, run_count = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    run_ends = np.empty(n, dtype=np.bool_)
    pairs = np.empty((r, r), dtype=np.int64)
    n_runs = find_runs(keys, bits, r, run_class, run_count, run_ends)
    below = np.empty(r, dtype=np.int64)
    chains = count_chains(run_class, run_count, n_runs, below, np.empty(r + 1), pairs)
    measures = np.empty(4)
    ranking_measures(chains, pairs, counts, measures)
    return measures


def vus_score(
    y_true: ArrayLike, y_score: ArrayLike, *, labels: Sequence[Any] | None = None
) -> float:
    """Volume under the r-dimensional ROC surface (eq. 8), 1 / r! for a random ranking.

    The share of sequences of one object of each class that are ranked in strictly ascending
    order. Parameters and errors as in `ranking_scores`.

    Examples
    --------
    >>> vus_score([1, 2, 2, 3], [0.1, 0.2, 0.4, 0.3])
    0.5
    """
    return float(ranking_scores(y_true, y_score, labels=labels)[0])


def u_cons_score(
    y_true: ArrayLike, y_score: ArrayLike, *, labels: Sequence[Any] | None = None
) -> float:
    """Mean AUC of the r - 1 splits into lower and higher classes (eq. 18), 1/2 at random.

    Parameters and errors as in `ranking_scores`.
    """
    return float(ranking_scores(y_true, y_score, labels=labels)[1])


def u_ovo_score(
    y_true: ArrayLike, y_score: ArrayLike, *, labels: Sequence[Any] | None = None
) -> float:
    """Mean AUC of all pairs of classes (eq. 17), 1/2 at random.

    Parameters and errors as in `ranking_scores`.
    """
    return float(ranking_scores(y_true, y_score, labels=labels)[2])


def u_pairs_score(
    y_true: ArrayLike, y_score: ArrayLike, *, labels: Sequence[Any] | None = None
) -> float:
    """Share of rightly ordered pairs of objects of different classes (eq. 16), 1/2 at random.

    Parameters and errors as in `ranking_scores`.
    """
    return float(ranking_scores(y_true, y_score, labels=labels)[3])
