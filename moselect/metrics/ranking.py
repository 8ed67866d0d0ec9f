"""Ranking measures for ordered classes (Waegeman, De Baets, Boullart 2008)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from moselect._kernels.chain_counts import average_chains, strict_chains
from moselect._kernels.pair_counts import pair_measures
from moselect._types import Floats, LabelOrder
from moselect.metrics.class_pairs import (
    ScoredSamples,
    SortedSamples,
    check_scored_samples,
    check_sequences,
    count_right_pairs,
)
from moselect.validation import Ties, check_ties, require_samples


def ranking_scores(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    ties: Ties = "strict",
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> Floats:
    """Compute VUS, U_cons, U_ovo and U_pairs of one or several rankings at once.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Ordinal labels: numbers, an ordered Categorical, or strings with ``labels``.
    y_score : array-like of shape (n,) or (n, k)
        Scores, or k columns of them; higher means a higher class.
    ties : {"strict", "average"}, default="strict"
        Credit for equal scores of different classes: nothing, as in eq. (8), or half a
        pair; in VUS a tied run of m classes within a sequence then counts 1 / m!.
    sample_weight : array-like of shape (n,), optional
        Weights of the samples; a pair or sequence weighs the product of its samples'
        weights.
    labels : sequence, optional
        All classes, lowest first; by default the sorted labels of ``y_true``.

    Returns
    -------
    ndarray of shape (4,) or (k, 4)
        Each between 0 and 1, higher is better. A random ranking has 1 / r! and three
        times 1/2 (lemma 3.3).

    Raises
    ------
    ValueError
        If lengths differ, scores are not finite, weights are negative, labels are missing
        or unknown, or a class has no samples.

    References
    ----------
    Waegeman, De Baets, Boullart (2008), ROC analysis in ordinal regression learning,
    Pattern Recognition Letters 29:1-9, eq. (8) and (16) to (18).

    Examples
    --------
    >>> ranking_scores([1, 2, 2, 3], [0.1, 0.2, 0.4, 0.3])
    array([0.5       , 0.8333..., 0.8333..., 0.8       ])
    """
    half_credit = check_ties(ties)
    samples = check_scored_samples(y_true, y_score, sample_weight, labels)
    require_samples(samples.class_weights, samples.classes, "every ranking measure")
    values = measure_rankings(samples, half_credit)
    if samples.single:
        return values[0]
    return values


def vus_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    ties: Ties = "strict",
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> float | Floats:
    """Volume under the r-dimensional ROC surface (eq. 8).

    The share of the sequences of one sample of each class that are ranked in ascending
    order: ``1 / prod_k n_k`` times the number of sequences ``y_1 < ... < y_r`` with
    ``f(x_1) < ... < f(x_r)``. One sort of the scores, and O(n) after it.

    Parameters
    ----------
    y_true, y_score, sample_weight, labels
        As in `ranking_scores`.
    ties : {"strict", "average"}, default="strict"
        Credit for a sequence with equal scores: nothing, or 1 / m! for each tied run of
        m.

    Returns
    -------
    float or ndarray of shape (k,)
        Between 0 and 1, higher is better; 1 / r! for a random ranking (lemma 3.3).

    Raises
    ------
    ValueError
        On wrong input as in `ranking_scores`; a class without samples leaves VUS
        undefined, and some hundred classes have more sequences than can be counted.

    Examples
    --------
    >>> vus_score([1, 2, 2, 3], [0.1, 0.2, 0.4, 0.3])
    0.5
    >>> vus_score([1, 2, 3], [0.5, 0.5, 0.5], ties="average")
    0.1666...
    """
    half_credit = check_ties(ties)
    samples = check_scored_samples(y_true, y_score, sample_weight, labels)
    require_samples(samples.class_weights, samples.classes, "vus")
    rankings = map(samples.rank, samples.rows)
    values = [measure_vus(samples, ranking, half_credit) for ranking in rankings]
    return values[0] if samples.single else np.array(values)


def u_cons_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    ties: Ties = "strict",
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> float | Floats:
    """Mean AUC of the r - 1 splits into lower and higher classes (eq. 18).

    ``1 / (r - 1) sum_k A_k``, where A_k is the share of the pairs of a sample of the
    classes up to k and one of the classes above k that are ranked in order.

    Parameters
    ----------
    y_true, y_score, ties, sample_weight, labels
        As in `ranking_scores`, whose errors these are, too.

    Returns
    -------
    float or ndarray of shape (k,)
        Between 0 and 1, higher is better; 1/2 for a random ranking.

    Examples
    --------
    >>> u_cons_score([1, 2, 2, 3], [0.1, 0.2, 0.4, 0.3])
    0.8333...
    """
    return _one_of_four(1, y_true, y_score, ties, sample_weight, labels)


def u_ovo_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    ties: Ties = "strict",
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> float | Floats:
    """Mean AUC of all pairs of classes (eq. 17).

    ``2 / (r (r - 1)) sum_{k < l} A_kl``, where A_kl is the share of the pairs of a sample
    of class k and one of class l that are ranked in order.

    Parameters
    ----------
    y_true, y_score, ties, sample_weight, labels
        As in `ranking_scores`, whose errors these are, too.

    Returns
    -------
    float or ndarray of shape (k,)
        Between 0 and 1, higher is better; 1/2 for a random ranking.

    Examples
    --------
    >>> u_ovo_score([1, 2, 2, 3], [0.1, 0.2, 0.4, 0.3])
    0.8333...
    """
    return _one_of_four(2, y_true, y_score, ties, sample_weight, labels)


def u_pairs_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    ties: Ties = "strict",
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> float | Floats:
    """Share of rightly ordered pairs of samples of different classes (eq. 16).

    The mean of the A_kl of `u_ovo_score` with weights ``n_k n_l``, so that both are equal
    on balanced classes (eq. 19).

    Parameters
    ----------
    y_true, y_score, ties, sample_weight, labels
        As in `ranking_scores`, whose errors these are, too.

    Returns
    -------
    float or ndarray of shape (k,)
        Between 0 and 1, higher is better; 1/2 for a random ranking.

    Examples
    --------
    >>> u_pairs_score([1, 2, 2, 3], [0.1, 0.2, 0.4, 0.3])
    0.8
    """
    return _one_of_four(3, y_true, y_score, ties, sample_weight, labels)


def _one_of_four(
    place: int,
    y_true: ArrayLike,
    y_score: ArrayLike,
    ties: Ties,
    sample_weight: ArrayLike | None,
    labels: LabelOrder,
) -> float | Floats:
    values = ranking_scores(
        y_true, y_score, ties=ties, sample_weight=sample_weight, labels=labels
    )
    if values.ndim == 1:
        return float(values[place])
    return values[:, place]


def measure_rankings(samples: ScoredSamples, half_credit: bool) -> Floats:
    """Return the four measures (k, 4) of the rankings of checked samples."""
    vus = []
    pairs = []
    for ranking in map(samples.rank, samples.rows):
        vus.append(measure_vus(samples, ranking, half_credit))
        right = count_right_pairs(ranking)
        if half_credit:
            possible = np.outer(samples.class_weights, samples.class_weights)
            right = (possible + right - count_right_pairs(ranking.reversed())) / 2.0
        pairs.append(right)
    return np.column_stack([vus, pair_measures(np.array(pairs), samples.class_weights)])


def measure_vus(
    samples: ScoredSamples, ranking: SortedSamples, half_credit: bool
) -> float:
    """Return the VUS of checked samples, ranked by one row of scores."""
    kernel = strict_chains
    if half_credit:
        kernel = average_chains
    chains = kernel(ranking.keys, ranking.weights, ranking.bits, ranking.n_classes)
    return float(chains) / check_sequences(samples.class_weights)
