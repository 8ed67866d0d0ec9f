"""Counts of rightly ordered pairs of two classes, and the measures that are made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from moselect._kernels.pair_counts import right_pairs, tied_pairs, u_cons, u_ovo, u_pairs
from moselect._types import Floats
from moselect._validation import Ties, check_ties, require_samples
from moselect.metrics.predicted.confusion import MAX_CLASSES
from moselect.metrics.ranking.samples import SortedSamples, check_scored_samples

# Of counts of right pairs (r, r), the higher class in the row, and of class weights (r,).
PAIR_MEASURES: tuple[Callable[[Floats, Floats], float], ...] = (u_cons, u_ovo, u_pairs)


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


def count_right_pairs(ranking: SortedSamples, half_credit: bool) -> Floats:
    """Count the rightly ordered pairs (r, r) of every two classes; ties count 0 or 1/2."""
    if ranking.n_classes > MAX_CLASSES:
        raise ValueError(
            f"there are {ranking.n_classes} different labels: measures of pairs of classes are for "
            f"at most {MAX_CLASSES} classes; regression_roc_auc_score is U_pairs for any target"
        )
    right = np.empty((ranking.n_classes, ranking.n_classes))
    ranking.count(right_pairs, right)
    if half_credit:
        right += 0.5 * count_tied_pairs(ranking)
    return right


def count_tied_pairs(ranking: SortedSamples) -> Floats:
    """Count the pairs (r, r) of equal score of every two classes."""
    tied = np.empty((ranking.n_classes, ranking.n_classes))
    ranking.count(tied_pairs, tied)
    return tied


def pair_worths(ranking: Floats, masses: Floats) -> Floats:
    """Return what a right pair of class l above class k is worth, (r, r), in its lower triangle.

    Waegeman et al. (2008), eq. 16-18; ``ranking`` (4,) are the weights of VUS, U_cons, U_ovo
    and U_pairs, ``masses`` (r,) the total weight of each class. Pairs with a class without samples
    are worth nothing.
    """
    r = len(masses)
    worths = np.zeros((r, r))
    below = np.cumsum(masses)
    all_pairs = (below[-1] ** 2 - masses @ masses) / 2.0
    cuts = below[:-1] * (below[-1] - below[:-1])
    per_cut = np.divide(1.0, cuts, out=np.zeros(r - 1), where=cuts > 0.0)
    separated = np.concatenate([[0.0], np.cumsum(per_cut)])
    for upper in range(1, r):
        for lower in range(upper):
            possible = masses[upper] * masses[lower]
            if possible > 0.0:
                worths[upper, lower] = (
                    ranking[1] * (separated[upper] - separated[lower]) / (r - 1)
                    + ranking[2] * 2.0 / (r * (r - 1) * possible)
                    + ranking[3] / all_pairs
                )
    return worths
