"""Ranking measures from counts in bins, between a lower and an upper bound."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from moselect._kernels.binned_rankings import (
    chain_component_squares,
    pair_component_sums,
    sweep_bins,
)
from moselect._types import Floats
from moselect._validation import LEAST_RATIO, Ties, check_choice, check_ties, require_samples
from moselect.metrics.counts.ranking_counts import OccupiedBins, RankingCounts
from moselect.metrics.ranking import PAIR_MEASURES
from moselect.metrics.uncertainty import logit_interval, pair_factors

Measure = Literal["vus", "u_cons", "u_ovo", "u_pairs"]
MEASURES: tuple[Measure, ...] = ("vus", "u_cons", "u_ovo", "u_pairs")


class Bounds(NamedTuple):
    """What a measure lies between, up to the rounding error of floats.

    Examples
    --------
    >>> bounds = Bounds(0.25, 0.75)
    >>> bounds.estimate, bounds.width
    (0.5, 0.5)
    """

    lower: float
    upper: float

    @property
    def width(self) -> float:
        """Upper less lower bound."""
        return self.upper - self.lower

    @property
    def estimate(self) -> float:
        """The middle, off by half the width at most."""
        return self.lower + 0.5 * self.width


@dataclass(frozen=True)
class RankingBounds:
    """Bounds of the ranking measures.

    Attributes
    ----------
    vus, u_cons, u_ovo, u_pairs : Bounds
    auc_lower, auc_upper : ndarray of shape (r, r)
        Bounds of the entries of `pairwise_auc_matrix`.

    Examples
    --------
    >>> from moselect.metrics import RankingCounts, ranking_bounds
    >>> counts = RankingCounts([1, 2, 3]).update([1, 2, 2, 3], [0.1, 0.2, 0.4, 0.3])
    >>> bounds = ranking_bounds(counts)
    >>> bounds.vus, bounds.width
    (Bounds(lower=0.5, upper=0.5), 0.0)
    """

    vus: Bounds
    u_cons: Bounds
    u_ovo: Bounds
    u_pairs: Bounds
    auc_lower: Floats
    auc_upper: Floats

    def __getitem__(self, measure: str) -> Bounds:
        bounds: Bounds = getattr(self, check_choice("measure", measure, MEASURES))
        return bounds

    @property
    def width(self) -> float:
        """Greatest width of a measure or of an entry of the AUC matrix."""
        widths = [self[measure].width for measure in MEASURES]
        return max(*widths, float((self.auc_upper - self.auc_lower).max()))


def ranking_bounds(counts: RankingCounts, *, ties: Ties = "strict") -> RankingBounds:
    """Compute bounds of VUS, U_cons, U_ovo, U_pairs and the AUC matrix from counts in bins.

    Scores in different bins are in a known order, and so are those of a bin with one score. In
    every other bin the lower bound has no pair of classes in the right order, the upper bound has
    all; of sequences of classes likewise.

    Parameters
    ----------
    counts : RankingCounts
        Samples of every class.
    ties : {"strict", "average"}, default="strict"
        What equal scores of different classes count, as in `ranking_scores`.

    Returns
    -------
    RankingBounds
        The value of `ranking_scores` or `pairwise_auc_matrix` for the same samples lies within,
        up to rounding.

    Raises
    ------
    ValueError
        If a class has no samples.

    References
    ----------
    Waegeman, De Baets, Boullart (2008), ROC analysis in ordinal regression learning, Pattern
    Recognition Letters 29:1-9, eq. (8) and (16) to (18).

    Examples
    --------
    >>> counts = RankingCounts([1, 2, 3]).update([1, 2, 2, 3], [0.1, 0.2, 0.4, 0.3])
    >>> ranking_bounds(counts).u_pairs
    Bounds(lower=0.8, upper=0.8)
    """
    require_samples(counts.class_weights, counts.classes, "every ranking measure")
    return sweep(counts.occupied_blocks(), counts.class_weights, check_ties(ties))


def sweep(
    blocks: Iterable[OccupiedBins], class_weights: Floats, half_credit: bool
) -> RankingBounds:
    """Compute the bounds of a ranking whose bins come in ascending blocks."""
    r = len(class_weights)
    scale = 1.0
    if not LEAST_RATIO < class_weights.min() <= class_weights.max() < 1.0 / LEAST_RATIO:
        scale = float(np.ldexp(1.0, -int(np.frexp(class_weights.max())[1])))  # loses no digit
        class_weights = class_weights * scale
        if class_weights.min() < LEAST_RATIO:
            raise ValueError(
                f"the weights of the classes differ too much: the least is {class_weights.min():g} "
                f"of the largest, but must be above {LEAST_RATIO:g}"
            )
    chains = np.zeros((2, r + 1))
    chains[:, 0] = 1.0
    met, right, unknown, equal = np.zeros(r), *np.zeros((3, r, r))
    credits = tie_credits(r, half_credit)
    for block in blocks:
        sums = (chains, met, right, unknown, equal)
        counts = block.counts if scale == 1.0 else block.counts * scale
        sweep_bins(counts, block.tied, 1.0 / class_weights, credits, *sums)
    credit = 0.5 if half_credit else 0.0
    sure = right + credit * equal
    pairs = {
        name: Bounds(
            *(_share(measure(counted, class_weights)) for counted in (sure, sure + unknown))
        )
        for name, measure in PAIR_MEASURES.items()
    }
    vus = Bounds(*(_share(value) for value in chains[:, r]))
    possible = np.outer(class_weights, class_weights)
    wrong = possible - (right + unknown + equal)
    auc = np.full((2, r, r), 0.5)
    rows = np.tril_indices(r, -1)
    for matrix, in_order, reversed_ in zip(
        auc, (right, right + unknown), (wrong, wrong + unknown), strict=True
    ):
        matrix.T[rows] = np.clip((in_order + credit * equal) / possible, 0.0, 1.0)[rows]
        matrix[rows] = np.clip((reversed_ + credit * equal) / possible, 0.0, 1.0)[rows]
    return RankingBounds(vus, auc_lower=auc[0], auc_upper=auc[1], **pairs)


def delong_variance_bounds(
    counts: RankingCounts, measure: Measure = "vus", *, ties: Ties = "strict"
) -> Bounds:
    """Compute bounds of DeLong's variance of a ranking measure from counts in bins.

    Parameters
    ----------
    counts : RankingCounts
        Two samples at least of every class, without weights.
    measure : {"vus", "u_cons", "u_ovo", "u_pairs"}, default="vus"
        The measure.
    ties : {"strict", "average"}, default="strict"
        What equal scores of different classes count.

    Returns
    -------
    Bounds
        The variance of ``ranking_inference(..., method="delong")`` lies within, up to rounding.

    Raises
    ------
    ValueError
        If the counts are weighted or a class has fewer than two samples.

    References
    ----------
    DeLong, DeLong, Clarke-Pearson (1988), Comparing the areas under two or more correlated
    receiver operating characteristic curves, Biometrics 44:837-845.

    Examples
    --------
    >>> counts = RankingCounts([1, 2]).update([1, 1, 2, 2], [0.1, 0.3, 0.2, 0.4])
    >>> delong_variance_bounds(counts)
    Bounds(lower=0.125, upper=0.125)
    """
    half_credit = check_ties(ties)
    check_choice("measure", measure, MEASURES)
    if counts.weighted:
        raise ValueError("DeLong's variance is of samples without weights")
    totals = counts.class_weights
    require_samples(totals, counts.classes, measure)
    if totals.min() < 2:
        alone = ", ".join(str(c) for c in counts.classes[totals < 2])
        raise ValueError(f"inference needs two samples of every class: class {alone} has one")
    occupied = counts.occupied()
    sums, squares = np.empty((2, 2, len(totals)))
    if measure == "vus":  # the mean of the components of every class is VUS
        sums[:] = np.outer(sweep([occupied], totals, half_credit).vus, totals)
        credits = tie_credits(len(totals), half_credit)
        chain_component_squares(occupied.counts, occupied.tied, 1.0 / totals, credits, squares)
    else:
        factors = pair_factors(measure, totals) * totals[:, np.newaxis]
        credit = 0.5 if half_credit else 0.0
        pair_component_sums(occupied.counts, occupied.tied, factors, credit, sums, squares)
    least = np.maximum(squares[0] - sums[1] ** 2 / totals, 0.0)
    most = np.maximum(squares[1] - sums[0] ** 2 / totals, 0.0)
    scale = 1.0 / (totals * (totals - 1.0))
    return Bounds(float(least @ scale), float(most @ scale))


def interval_bounds(
    counts: RankingCounts,
    measure: Measure = "vus",
    *,
    ties: Ties = "strict",
    confidence_level: float = 0.95,
) -> tuple[Bounds, Bounds]:
    """Compute a measure, and a confidence interval that holds DeLong's.

    Parameters
    ----------
    counts, measure, ties
        As in `delong_variance_bounds`.
    confidence_level : float, default=0.95
        Probability with which the interval is to cover.

    Returns
    -------
    value, interval : Bounds
        Bounds of the measure; ends of an interval that is wider than that of
        ``ranking_inference(..., method="delong")`` by about the width of the bounds.

    Examples
    --------
    >>> counts = RankingCounts([1, 2]).update([1, 1, 2, 2], [0.1, 0.3, 0.2, 0.4])
    >>> value, interval = interval_bounds(counts, "u_pairs")
    >>> value
    Bounds(lower=0.75, upper=0.75)
    >>> interval.lower < 0.5 < interval.upper
    True
    """
    if not 0.0 < confidence_level < 1.0:
        raise ValueError(f"confidence_level is {confidence_level}: it must lie between 0 and 1")
    variance = delong_variance_bounds(counts, measure, ties=ties)
    value = ranking_bounds(counts, ties=ties)[measure]
    smallest = int(counts.class_weights.min())
    ends = [logit_interval(at, variance.upper, confidence_level, smallest) for at in value]
    return value, Bounds(min(lower for lower, _ in ends), max(upper for _, upper in ends))


def tie_credits(r: int, half_credit: bool) -> Floats:
    """Return what tied runs of 0 .. r classes of a sequence count."""
    credits = np.zeros(r + 1)
    credits[:2] = 1.0
    if half_credit:
        credits[2:] = [1.0 / math.factorial(min(m, 170)) for m in range(2, r + 1)]
    return credits


def _share(value: Any) -> float:
    return min(max(float(value), 0.0), 1.0)
