"""Independent draws of samples, and covariances of ranking measures of several models."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from moselect._kernels.chain_counts import disjoint_chains, ranking_components
from moselect._types import Floats, Integers
from moselect.metrics.class_pairs import (
    ScoredSamples,
    SortedSamples,
    sort_samples,
    weights_of_pairs,
)
from moselect.metrics.objectives import RANKING_OBJECTIVES
from moselect.metrics.ranking import measure_rankings
from moselect.samples.weights import WeightType, stated_weights
from moselect.validation import ranks_of, weights_or_ones


def check_draws(
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
    weight_type: WeightType | None,
    predicted: ArrayLike,
    y: ArrayLike,
) -> tuple[Floats | None, Integers | None]:
    """Return weights (n,) and the index of each sample's draw (n,).

    Weights are None if equal, and counts if they and the predictions of classes y are as in
    `counts_of`. Draws are None if all samples are independent: weights, if any, are then
    counts.
    """
    n = np.size(y)
    weights, counts = stated_weights(sample_weight, n, weight_type, predicted, y)
    draws = ranks_of("groups", groups, n)
    if weights is not None and counts is None:
        # Counts are repetitions of independent samples; other weights make draws of
        # unlike size.
        if np.ptp(weights) > 0.0:
            return weights, np.arange(n) if draws is None else draws
        weights = None
    # Groups of one sample each are no groups.
    alone = draws is not None and weights is None and draws.max() == n - 1
    return weights, None if alone else draws


def draw_squares(codes: Integers, weights: Floats, draws: Integers, r: int) -> Floats:
    """Return the sum (r,) of the squared weights that draws have in each class."""
    n_draws = draws.max() + 1
    # A cell for each class of each draw: a draw may have samples of several.
    cells, cell = np.unique(codes * n_draws + draws, return_inverse=True)
    squares = np.bincount(cell, weights) ** 2
    return np.bincount(cells // n_draws, squares, minlength=r).astype(np.float64)


@dataclass(frozen=True)
class RankedModels:
    """Samples with their rankings by m models."""

    samples: ScoredSamples
    measure: str
    half_credit: bool

    @cached_property
    def rankings(self) -> list[SortedSamples]:
        """Samples sorted by the scores of each model."""
        codes = self.samples.codes
        r = len(self.samples.classes)
        return [sort_samples(row, codes, r, with_order=True) for row in self.samples.rows]

    @property
    def weights(self) -> Floats:
        """Multiplicity of each sample (n,)."""
        weights = self.samples.weights
        return weights_or_ones(weights, len(self.samples.codes))

    @property
    def measure_weights(self) -> Floats:
        """One-hot weights (4,) of the ranking measures, 1 for the estimated one."""
        return np.array(
            [name == self.measure for name in RANKING_OBJECTIVES], dtype=np.float64
        )

    @property
    def weights_of_pairs(self) -> Floats:
        """Contribution of a right pair of classes to the measure, (r, r), lower triangle."""
        return weights_of_pairs(self.measure_weights, self.samples.class_weights)

    def estimates(self) -> Floats:
        """Return the measure (m,) of each model."""
        return measure_rankings(self.samples, self.half_credit) @ self.measure_weights

    def components(self) -> Floats:
        """Return the structural components (m, n): the measure if a class had that sample only.

        With half credit the mean of the components with all ties wrong and all ties right.
        """
        codes = self.samples.codes
        known = codes, self.weights, self.weights_of_pairs, self.measure_weights[0]
        gains = np.empty(self.samples.rows.shape)
        for row, ranking, gain in zip(
            self.samples.rows, self.rankings, gains, strict=True
        ):
            ranking_components(ranking.order, *known, gain)
            # Half credit: the mean over both orders of a tie, the higher class first
            # (wrong) and last (right).
            if self.half_credit:
                lenient = np.empty_like(gain)
                ranking_components(np.lexsort((codes, row)), *known, lenient)
                gain += 0.5 * (lenient - gain)
        return gains * self.samples.class_weights[codes]


def delong_covariance(models: RankedModels, draws: Integers | None = None) -> Floats:
    """Covariance (m, m) by structural components (DeLong et al. 1988), O(n) after the sort.

    It is the sum over classes of the covariance of their components, over the class size;
    weights are counts. With ``draws`` (n,), the influences of the samples of a draw are
    summed before they are squared (the sandwich of Liang and Zeger 1986), whatever their
    weights. The contribution of a class with N effective draws is scaled by N / (N - 1),
    which is unbiased for equal weights (Bell and McCaffrey 2002).
    """
    samples = models.samples
    codes = samples.codes
    counts = samples.class_weights
    weights = models.weights
    components = models.components()
    centred = [
        # Components less their mean within the class: inference is conditional on class
        # sizes.
        row - (np.bincount(codes, weights * row) / counts)[codes]
        for row in components
    ]
    if draws is not None:
        # N / (N - 1), with N = counts^2 / squares effective draws of a class.
        spreads = counts**2 - draw_squares(codes, weights, draws, len(counts))
        contributions = weights / np.sqrt(spreads)[codes] * centred
        # A draw may have samples of several classes: its influences are added before the
        # product.
        draw_sums = np.array([np.bincount(draws, row) for row in contributions])
        return draw_sums @ draw_sums.T
    # Sum over classes of the covariance over the class size, with n - 1 degrees of
    # freedom.
    contributions = (weights / (counts * (counts - 1.0))[codes]) * centred
    return contributions @ np.transpose(centred)


def exact_covariance(models: RankedModels) -> Floats:
    """Unbiased covariance (m, m) of VUS: product of estimates less its mean on disjoint samples.

    Two sequences of one sample of each class that have no sample in common are independent,
    so the mean over all pairs of them estimates the product of the expectations without
    bias. O(r n^2).
    """
    estimates = models.estimates()
    m = len(estimates)
    disjoint = np.empty((m, m))
    for i in range(m):
        for j in range(i, m):
            disjoint[i, j] = disjoint[j, i] = _disjoint_chains(models, i, j)
    # E[V_1 V_2] - E[V_1] E[V_2]: the product of the estimates is the first term, disjoint
    # sequences give the second.
    return np.outer(estimates, estimates) - disjoint


def _disjoint_chains(models: RankedModels, i: int, j: int) -> float:
    """Share of disjoint pairs of sequences, one for each of two models, that both ascend."""
    counts = models.samples.class_weights
    first = models.rankings[i]
    other = models.rankings[j]
    n = len(models.samples.codes)
    place_in_first, place_in_second = np.empty((2, n), dtype=np.int64)
    # Position of every sample in either ranking, counted in the order of the first.
    place_in_first[first.order] = np.arange(n)
    second = place_in_first[other.order]
    place_in_second[second] = np.arange(n)
    labels = models.samples.codes[first.order]
    by_class = np.argsort(labels, kind="stable")
    share = disjoint_chains(labels, second, place_in_second, by_class, 1.0 / counts)
    # Ordered pairs of two different samples of each class: n (n - 1) instead of n^2.
    return share * np.prod(counts / (counts - 1.0))
