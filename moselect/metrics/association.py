"""Rank correlation of scores with an ordinal or continuous target."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from moselect._kernels.pair_counts import concordance
from moselect._types import Floats, Integers, LabelOrder
from moselect.metrics.class_pairs import ScoredSamples, check_scored_samples
from moselect.validation import Ties, at_rows, check_ties, weights_or_ones


class PairCounts(NamedTuple):
    """Total weights of concordant, discordant and tied pairs of samples."""

    concordant: float
    discordant: float
    different_targets: float
    different_scores: float

    def share_in_order(self, tie_credit: float) -> float:
        """Share of correctly ordered pairs among pairs of different targets."""
        # Ties in the score, of different targets; rounding may make the difference
        # negative.
        tied = max(self.different_targets - self.concordant - self.discordant, 0.0)
        return (self.concordant + tie_credit * tied) / self.different_targets


def regression_roc_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    ties: Ties = "strict",
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> float | Floats:
    """Probability that the sample with the higher of two targets has the higher score.

    The AUC of any numeric target; for an ordinal one it is `u_pairs_score`. O(n log n).

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Target: any numbers, or ordinal labels.
    y_score : array-like of shape (n,) or (n, k)
        Scores, or k columns of them; higher means a higher target.
    ties : {"strict", "average"}, default="strict"
        Whether a pair of equal scores counts nothing or half.
    sample_weight : array-like of shape (n,), optional
        Weights of the samples; a pair weighs the product of its samples' weights.
    labels : sequence, optional
        All classes, lowest first, of a target that is ordinal.

    Returns
    -------
    float or ndarray of shape (k,)
        Between 0 and 1, higher is better; 1/2 for a random ranking.

    Raises
    ------
    ValueError
        On wrong input as in `ranking_scores`, and if all targets are equal.

    Examples
    --------
    >>> regression_roc_auc_score([0.5, 1.5, 7.0], [1.0, 3.0, 2.0])
    0.6666...
    """
    credit = 0.5 * check_ties(ties)
    samples = check_scored_samples(
        y_true, y_score, sample_weight, labels, continuous=True
    )
    return samples.each(lambda row: _count_pairs(samples, row).share_in_order(credit))


def somers_d_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> float | Floats:
    """Somers' D: concordant minus discordant pairs, divided by all pairs of different targets.

    Ties of scores count as half right, so D is ``2 * u_pairs_score(..., ties="average") -
    1``.

    Parameters
    ----------
    y_true, y_score, sample_weight, labels
        As in `regression_roc_auc_score`, whose errors these are, too.

    Returns
    -------
    float or ndarray of shape (k,)
        Between -1 and 1, higher is better; 0 for a random ranking.

    References
    ----------
    Somers (1962), A new asymmetric measure of association for ordinal variables, American
    Sociological Review 27:799-811.

    Examples
    --------
    >>> somers_d_score([1, 2, 2, 3], [0.1, 0.2, 0.4, 0.3])
    0.6...
    """
    share = regression_roc_auc_score(
        y_true, y_score, ties="average", sample_weight=sample_weight, labels=labels
    )
    return 2.0 * share - 1.0


def bubble_sort_coefficient(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> float | Floats:
    """Bubble sort coefficient: one minus the share of neighbour swaps needed to sort.

    One minus the swaps that bubble sort needs to put the classes, listed by ascending
    score, into order, divided by those it needs for the reversed order. A swap corrects one
    wrongly ordered pair, so this is one minus the share of wrongly ordered pairs (a tied
    one needs no swap), and equals `u_pairs_score` when no scores tie. O(n log n).

    Parameters
    ----------
    y_true, y_score, sample_weight, labels
        As in `regression_roc_auc_score`, whose errors these are, too.

    Returns
    -------
    float or ndarray of shape (k,)
        Between 0 and 1, higher is better; 1/2 for a random ranking without ties.

    References
    ----------
    Sommer (2015), Statistical methods for ordinal regression, Master's thesis, Warsaw
    University of Technology, algorithm 3.

    Examples
    --------
    >>> bubble_sort_coefficient([1, 1, 1, 2, 3, 5, 4], range(7))
    0.9444...
    """
    samples = check_scored_samples(
        y_true, y_score, sample_weight, labels, continuous=True
    )
    return samples.each(lambda row: _count_pairs(samples, row).share_in_order(1.0))


def kendall_tau_b_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> float | Floats:
    """Kendall's tau-b, with a correction for ties in target and score.

    Concordant minus discordant pairs, divided by the geometric mean of the pairs that
    differ in the target and those that differ in the score.

    Parameters
    ----------
    y_true, y_score, sample_weight, labels
        As in `regression_roc_auc_score`, whose errors these are, too; scores may not all
        be equal.

    Returns
    -------
    float or ndarray of shape (k,)
        Between -1 and 1, higher is better; 0 for a random ranking.

    References
    ----------
    Kendall (1945), The treatment of ties in ranking problems, Biometrika 33:239-251.

    Examples
    --------
    >>> kendall_tau_b_score([1, 2, 2, 3], [0.1, 0.2, 0.4, 0.3])
    0.5477...
    """
    samples = check_scored_samples(
        y_true, y_score, sample_weight, labels, continuous=True
    )

    def tau_b(row: Floats) -> float:
        pairs = _count_pairs(samples, row)
        if pairs.different_scores == 0.0:
            raise ValueError("tau-b is undefined: all scores are equal")
        # Geometric mean of the pairs untied in either variable (Kendall 1945).
        scale = math.sqrt(pairs.different_targets) * math.sqrt(pairs.different_scores)
        return (pairs.concordant - pairs.discordant) / scale

    return samples.each(tau_b)


def spearman_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> float | Floats:
    """Spearman's rank correlation: Pearson's of the ranks, with mean ranks for ties.

    Parameters
    ----------
    y_true, y_score, sample_weight, labels
        As in `regression_roc_auc_score`, whose errors these are, too; scores may not all
        be equal. Weights count as repetitions, in the ranks, too.

    Returns
    -------
    float or ndarray of shape (k,)
        Between -1 and 1, higher is better; 0 for a random ranking.

    References
    ----------
    Spearman (1904), The proof and measurement of association between two things, American
    Journal of Psychology 15:72-101.

    Examples
    --------
    >>> spearman_score([0.5, 1.5, 7.0], [1.0, 2.0, 2.0])
    0.8660...
    """
    samples = check_scored_samples(
        y_true, y_score, sample_weight, labels, continuous=True
    )
    weights = weights_or_ones(samples.weights, len(samples.codes))
    target = _centred_ranks(samples.codes, weights)

    def spearman(row: Floats) -> float:
        levels = np.unique(row, return_inverse=True)[1]
        # Weights of 0 leave no score behind.
        if np.count_nonzero(np.bincount(levels, weights)) < 2:
            raise ValueError("Spearman's rho is undefined: all scores are equal")
        score = _centred_ranks(levels, weights)
        scale = math.sqrt((weights * target) @ target) * math.sqrt(
            (weights * score) @ score
        )
        return float(np.clip((weights * target) @ score / scale, -1.0, 1.0))

    return samples.each(spearman)


def _count_pairs(samples: ScoredSamples, row: Floats) -> PairCounts:
    order = np.argsort(row)
    scores = row[order]
    # Whether the next score is a different one: ties are counted as runs.
    ends = np.append(scores[1:] != scores[:-1], True)
    weights = at_rows(samples.weights, order)
    counts = concordance(samples.codes[order], ends, weights, len(samples.classes))
    concordant, discordant, different_scores = counts
    # Pairs of different targets: each level with all lower ones.
    before = np.append(0.0, np.cumsum(samples.class_weights)[:-1])
    return PairCounts(
        concordant, discordant, samples.class_weights @ before, different_scores
    )


def _centred_ranks(levels: Integers, weights: Floats) -> Floats:
    """Weighted mean ranks of ``levels`` (n,) of integers, less their weighted mean."""
    level_weights = np.bincount(levels, weights)
    # Mean rank of a tied run: the weight before it, and half of its own.
    ranks = (np.cumsum(level_weights) - 0.5 * level_weights)[levels]
    return ranks - (weights @ ranks) / weights.sum()
