"""How many samples of each class lie where along the score of each model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Floats, Integers
from moselect.features import feature_matrix
from moselect.front import Front
from moselect.labels import encode_labels

LEVELS = 65_000  # possible positions of a cut between the lowest and the highest score
MOST_CUTS = 72  # of a model, its own thresholds included


@dataclass(frozen=True, eq=False)
class ScoreCounts:
    """Cuts along the scores of k models and the samples below each.

    A cut is a possible threshold: cut ``j`` lies at ``low + levels * step``, or is one of the
    model's own thresholds. The page solves thresholds on these cuts.

    Attributes
    ----------
    low, step : ndarray of shape (k,)
        Where the scale of the levels begins, and its unit.
    levels : ndarray of int, shape (k, c)
        Levels of the cuts, ascending with equal ones at the end.
    counts : ndarray of int, shape (k, MOST_CUTS + 1, r)
        Samples of each class between neighbouring cuts, the levels and the model's own thresholds
        sorted together; lowest scores first.
    """

    low: Floats
    step: Floats
    levels: Integers
    counts: Integers


def count_scores(front: Front, X: ArrayLike | pd.DataFrame, y: ArrayLike) -> ScoreCounts:
    """Count the samples of the search along the scores of its models.

    Parameters
    ----------
    front : Front
        The models.
    X : array-like of shape (n, p)
        Features of the rows of the search.
    y : array-like of shape (n,)
        Their labels.

    Returns
    -------
    ScoreCounts

    Raises
    ------
    ValueError
        If X and y are not the rows of the search, as far as the numbers of its samples tell.
    """
    values = feature_matrix(X, front.feature_names, front.weights.shape[1])
    codes = encode_labels(y, front.classes)
    r = len(front.classes)
    assert front.confusions is not None  # the page has asked before
    searched = front.confusions[0].sum(axis=1)
    if len(codes) != len(values) or not np.array_equal(np.bincount(codes, minlength=r), searched):
        raise ValueError(
            f"X and y are not the rows of the search: it had {searched.tolist()} samples of the "
            f"classes, y has {np.bincount(codes, minlength=r).tolist()}"
        )
    k, n_levels = len(front), MOST_CUTS - (r - 1)
    low, step = np.empty((2, k))
    levels = np.empty((k, n_levels), dtype=np.int64)
    counts = np.empty((k, MOST_CUTS + 1, r), dtype=np.int64)
    for i, (weights, thresholds) in enumerate(zip(front.weights, front.thresholds, strict=True)):
        scores = values @ weights
        low[i], step[i], levels[i] = _levels(np.sort(scores), n_levels)
        cuts = np.sort(np.concatenate([low[i] + levels[i] * step[i], thresholds]))
        bins = np.searchsorted(cuts, scores, side="left")  # a score on a threshold lies below it
        counts[i] = np.bincount(bins * r + codes, minlength=counts[i].size).reshape(-1, r)
    return ScoreCounts(low, step, levels, counts)


def _levels(ascending: Floats, n_levels: int) -> tuple[float, float, Integers]:
    """Return the scale of the levels and those between as equally many samples as possible.

    Of few different scores, each pair of neighbours gets a cut.
    """
    low, high = ascending[0], ascending[-1]
    step = (high - low) / LEVELS
    ends = np.flatnonzero(ascending[1:] > ascending[:-1])
    if len(ends) > n_levels - 2:
        wanted = np.linspace(0, len(ascending), n_levels)[1:-1]
        ends = np.unique(ends[np.searchsorted(ends, wanted).clip(max=len(ends) - 1)])
    middles = 0.5 * (ascending[ends] + ascending[ends + 1])
    levels = np.zeros(len(middles), np.int64)
    if step > 0.0:
        levels = np.round((middles - low) / step).astype(np.int64)
    # Below all scores and, with what is left over, above them: no class need be predicted.
    below, above = [-1], [LEVELS + 1] * (n_levels - 1 - len(levels))
    return float(low), float(step) or 1.0, np.concatenate([below, np.sort(levels), above])
