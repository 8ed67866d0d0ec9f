"""Ranking measures of pairs of classes: the matrix of AUCs, and the bubble sort coefficient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Floats
from moselect._validation import Ties, check_ties, require_samples
from moselect.metrics.ranking.pairs import count_right_pairs, count_tied_pairs, require_pairs
from moselect.metrics.ranking.samples import check_scored_samples


def pairwise_auc_matrix(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    ties: Ties = "strict",
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
) -> Floats:
    """AUC of every class against every other one.

    Parameters
    ----------
    y_true, y_score, sample_weight, labels
        As in `ranking_scores`.
    ties : {"strict", "average"}, default="strict"
        Whether a pair of equal scores counts nothing or half.

    Returns
    -------
    ndarray of shape (r, r) or (k, r, r)
        Entry ``[k, l]`` is the share of the pairs of a class-k and a class-l sample in which the
        second scores higher (the A_kl of eq. 17), so a good ranking has ones above the diagonal
        and zeros below. The diagonal is 1/2: a class does not outrank itself.

    Raises
    ------
    ValueError
        On wrong input as in `ranking_scores`; every class must have samples.

    References
    ----------
    Waegeman, De Baets, Boullart (2008), eq. (17).

    Examples
    --------
    >>> pairwise_auc_matrix([1, 2, 2, 3], [0.1, 0.2, 0.4, 0.3])
    array([[0.5, 1. , 1. ],
           [0. , 0.5, 0.5],
           [0. , 0.5, 0.5]])
    """
    half_credit = check_ties(ties)
    samples = check_scored_samples(y_true, y_score, sample_weight, labels)
    require_samples(samples.class_weights, samples.classes, "an AUC matrix")
    possible = np.outer(samples.class_weights, samples.class_weights)
    upper = np.triu_indices(len(samples.classes), 1)
    matrices = np.full((len(samples.rows), *possible.shape), 0.5)
    for matrix, row in zip(matrices, samples.rows, strict=True):
        ranking = samples.rank(row)
        right, tied = count_right_pairs(ranking, False).T, count_tied_pairs(ranking).T
        wrong = possible - right - tied
        credit = 0.5 * tied if half_credit else 0.0
        matrix[upper] = ((right + credit) / possible)[upper]
        matrix.T[upper] = ((wrong + credit) / possible)[upper]
    return matrices[0] if samples.single else matrices


def bubble_sort_coefficient(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    ties: Ties = "strict",
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
) -> Any:
    """Share of the swaps of neighbours that sorting the ranking by class does not need.

    One minus the swaps that bubble sort needs to put the classes, listed by ascending score, into
    order, divided by those it needs for the reversed order. A swap mends one wrongly ordered pair,
    so this is one minus the share of wrongly ordered pairs, and equals `u_pairs_score` when no
    scores tie.

    Parameters
    ----------
    y_true, y_score, sample_weight, labels
        As in `ranking_scores`.
    ties : {"strict", "average"}, default="strict"
        What a tied pair needs: no swap, since only a strictly higher score stands in the wrong
        place, or half of one, which makes it `u_pairs_score` with ``ties="average"``.

    Returns
    -------
    float or ndarray of shape (k,)
        Between 0 and 1, higher is better; 1/2 for a random ranking without ties.

    Raises
    ------
    ValueError
        On wrong input as in `ranking_scores`; at least two classes must have samples.

    References
    ----------
    Sommer (2015), Statistical methods for ordinal regression, algorithm 3.

    Examples
    --------
    >>> bubble_sort_coefficient([1, 1, 1, 2, 3, 5, 4], range(7))
    0.9444...
    """
    half_credit = check_ties(ties)
    samples = check_scored_samples(y_true, y_score, sample_weight, labels)
    require_pairs("u_pairs", samples.class_weights, samples.classes)
    lower = np.tril_indices(len(samples.classes), -1)
    possible = np.outer(samples.class_weights, samples.class_weights)[lower].sum()

    def without_swap(row: Floats) -> float:
        ranking = samples.rank(row)
        right, tied = count_right_pairs(ranking, False), count_tied_pairs(ranking)
        credit = 0.5 if half_credit else 1.0
        return float((right + credit * tied)[lower].sum() / possible)

    return samples.each(without_swap)
