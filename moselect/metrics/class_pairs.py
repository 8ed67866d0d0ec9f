"""Scores of classified samples, and the AUC of each pair of classes."""

from __future__ import annotations

import math
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from moselect._kernels import code_bits, pair_counts
from moselect._kernels.scores import has_mixed_prefix, pack_keys
from moselect._types import Floats, Integers, LabelOrder, Labels
from moselect.labels.labels import encode
from moselect.metrics.confusion import check_number_of_classes
from moselect.validation import (
    Ties,
    as_numbers,
    at_rows,
    check_all_finite,
    check_ties,
    check_weights,
    ratios_or_zero,
    require_samples,
)


class SortedSamples(NamedTuple):
    """One ranking: sorted keys with the class code in their low bits, and sample weights."""

    keys: Integers  # (n,)
    weights: Floats | None  # (n,) in the order of the keys
    order: Integers | None  # (n,) index of the sample, for each key
    bits: int
    n_classes: int

    def reversed(self) -> Self:
        """Sort by descending scores; the higher class still comes first in a tie."""
        keys = self.keys ^ ~((1 << self.bits) - 1)  # all bits but the class code
        order = np.argsort(keys)
        weights = at_rows(self.weights, order)
        return self._replace(keys=keys[order], weights=weights, order=None)


def sort_samples(
    scores: Floats,
    codes: Integers,
    n_classes: int,
    weights: Floats | None = None,
    *,
    with_order: bool = False,
) -> SortedSamples:
    """Sort one row of scores (n,) together with the class codes (n,).

    Keys tie exactly where scores do. One sort of integers suffices, unless scores of
    different classes agree in all but their lowest bits: then ranks replace scores.
    """
    bits = code_bits(n_classes)
    keys = np.empty(len(scores), int)
    with_order = with_order or weights is not None
    lost = pack_keys(scores.view(np.int64), codes, n_classes, bits, keys)
    order = _sort(keys, with_order)
    if lost and has_mixed_prefix(keys, bits):
        ranks = np.unique(scores, return_inverse=True)[1]
        keys = (ranks << bits) | (n_classes - 1 - codes)
        order = _sort(keys, with_order)
    return SortedSamples(keys, at_rows(weights, order), order, bits, n_classes)


def _sort(keys: Integers, with_order: bool) -> Integers | None:
    """Sort keys in place; return the permutation on request, which is slower."""
    if not with_order:
        keys.sort()
        return None
    order = np.argsort(keys)
    keys[:] = keys[order]
    return order


class ScoredSamples(NamedTuple):
    """Checked input of a ranking measure: labelled samples and their scores in k rankings."""

    classes: Labels  # (r,)
    codes: Integers  # (n,)
    class_weights: Floats  # (r,) total weight of each class
    weights: Floats | None  # (n,)
    rows: Floats  # (k, n) scores
    single: bool  # whether the scores came as one vector

    def rank(self, row: Floats) -> SortedSamples:
        """Sort the samples by one row of scores."""
        return sort_samples(row, self.codes, len(self.classes), self.weights)


def check_scored_samples(
    y_true: ArrayLike,
    y_score: ArrayLike,
    sample_weight: ArrayLike | None,
    labels: LabelOrder,
) -> ScoredSamples:
    """Check and encode the input of a ranking measure."""
    classes, codes = encode(y_true, labels)
    weights = check_weights(sample_weight, len(codes))
    scores = as_numbers("y_score", y_score)
    if scores.ndim not in (1, 2) or len(scores) != len(codes):
        raise ValueError(
            f"y_true has {len(codes)} samples but y_score has shape {scores.shape}: "
            "it must be (n,), or (n, k) for k rankings of the same samples"
        )
    check_all_finite("y_score", scores)
    rows = np.ascontiguousarray(np.atleast_2d(scores.T))
    class_weights = np.bincount(codes, weights, len(classes)).astype(float)
    return ScoredSamples(classes, codes, class_weights, weights, rows, scores.ndim == 1)


def pairwise_auc_matrix(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    ties: Ties = "strict",
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
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
        Entry ``[k, l]`` is the share of the pairs of a class-k and a class-l sample in
        which the second scores higher (the A_kl of eq. 17), so a good ranking has ones
        above the diagonal and zeros below. The diagonal is 1/2: a class does not outrank
        itself.

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
        right = count_right_pairs(ranking).T
        wrong = count_right_pairs(ranking.reversed()).T
        credit = 0.5 * half_credit * (possible - right - wrong)
        matrix[upper] = ((right + credit) / possible)[upper]
        matrix.T[upper] = ((wrong + credit) / possible)[upper]
    if samples.single:
        return matrices[0]
    return matrices


def count_right_pairs(ranking: SortedSamples) -> Floats:
    """Count correctly ordered pairs (r, r) of each pair of classes, the higher in the row."""
    check_number_of_classes(ranking.n_classes)
    right = np.empty((ranking.n_classes, ranking.n_classes))
    pair_counts.count_right_pairs(ranking.keys, ranking.weights, ranking.bits, right)
    return right


def check_sequences(class_weights: Floats | Integers) -> float:
    """Return the weight of all sequences of one sample of each class, if a float holds it."""
    sequences = math.prod(np.asarray(class_weights, float).tolist())
    # Doubles count up to 1e308 sequences, enough for fifty classes of a million samples.
    if not 1e-300 < sequences < math.inf:
        raise ValueError(
            f"{len(class_weights)} classes of this size have more sequences than VUS can count: "
            "merge neighbouring classes"
        )
    return sequences


def passing_gains(masses: Floats | Integers, rankings: Floats) -> Floats:
    """Return the gain when a sample of one class passes one of another, (P, r, r).

    Measures of pairs are sums over pairs, weighted by `weights_of_pairs` with ``rankings``
    (P, 4), so one antisymmetric matrix combines all three.
    """
    gains = weights_of_pairs(rankings, masses)
    # Antisymmetric: what a sample gains by passing another, that one loses.
    return np.ascontiguousarray(gains - gains.transpose(0, 2, 1))


def weights_of_pairs(ranking: Floats, masses: Floats | Integers) -> Floats:
    """Return the weight of a right pair of class l above class k, (..., r, r), lower triangle.

    Waegeman et al. (2008), eq. 16-18; ``ranking`` (..., 4) are the weights of VUS, U_cons,
    U_ovo and U_pairs, ``masses`` (r,) the total weight of each class. Pairs with a class
    without samples have weight 0.
    """
    masses = np.asarray(masses, float)
    r = len(masses)
    below = np.cumsum(masses)
    all_pairs = (below[-1] ** 2 - masses @ masses) / 2.0
    boundary_pairs = below[:-1] * (below[-1] - below[:-1])
    # Empty splits have no pairs, and weigh nothing.
    per_cut = ratios_or_zero(1.0, boundary_pairs)
    # Pairs of classes k < l lie on different sides of the splits k .. l - 1: a difference
    # of cumulative sums.
    separated = np.concatenate([[0.0], np.cumsum(per_cut)])
    possible = np.multiply.outer(masses, masses)
    upper, lower = np.nonzero(np.tri(r, k=-1) * possible)
    _, u_cons, u_ovo, u_pairs = np.moveaxis(ranking, -1, 0)[..., None]
    pair_weights = np.zeros((*ranking.shape[:-1], r, r))
    pair_weights[..., upper, lower] = (
        u_cons * (separated[upper] - separated[lower]) / (r - 1)
        + u_ovo * 2.0 / (r * (r - 1) * possible[upper, lower])
        + u_pairs / all_pairs
    )
    return pair_weights
