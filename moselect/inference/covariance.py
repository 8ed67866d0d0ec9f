"""Independent draws of samples, and covariances of ranking measures of several models."""

import warnings

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
from moselect.samples.weights import WeightType, stated_weights
from moselect.validation import ranks_of, ratios_or_zero, weights_or_ones


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
    weights, counts, remark = stated_weights(sample_weight, n, weight_type, predicted, y)
    if remark:
        warnings.warn(remark, stacklevel=3)
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
    return np.bincount(cells // n_draws, squares, minlength=r).astype(float)


def measure_weights(measure: str) -> Floats:
    """Return weights (4,) of the ranking measures: 1 for the given one, 0 for others."""
    return np.array([name == measure for name in RANKING_OBJECTIVES], float)


def rankings_of(samples: ScoredSamples) -> list[SortedSamples]:
    """Sort the samples by the scores of each model."""
    r = len(samples.classes)
    return [sort_samples(row, samples.codes, r, with_order=True) for row in samples.rows]


def ranking_utility(
    ranking: Floats,
    codes: Integers,
    n_classes: int,
    scores: Floats,
    weights: Floats,
    half_credit: bool = False,
) -> tuple[float, Floats]:
    """Compute the weighted sum of ranking measures, and the influence (n,) of each sample.

    Influences are structural components. Class sizes are fixed: the influences of the samples
    of each class have mean 0. ``ranking`` (4,) has the weights of VUS, U_cons, U_ovo and
    U_pairs. Half credit is the mean over both orders of a tie.
    """
    masses = np.bincount(codes, weights, minlength=n_classes).astype(float)
    pair_weights = weights_of_pairs(ranking, masses)
    # Of equal scores the higher class comes first (wrong), or last (right).
    orders = [np.lexsort((-codes, scores))]
    if half_credit:
        orders.append(np.lexsort((codes, scores)))
    components = np.empty((len(orders), len(codes)))
    utility = 0.0
    for order, of_order in zip(orders, components, strict=True):
        vus, pairs = ranking_components(
            order, codes, weights, pair_weights, ranking[0], of_order
        )
        utility += (ranking[0] * vus + pairs) / len(orders)
    component = components.mean(axis=0)
    sums = np.bincount(codes, weights * component, minlength=n_classes)
    means = ratios_or_zero(sums, masses)
    return utility, weights.sum() * (component - means[codes])


def delong_covariance(
    samples: ScoredSamples,
    ranking: Floats,
    half_credit: bool = False,
    draws: Integers | None = None,
) -> Floats:
    """Covariance (m, m) by structural components (DeLong et al. 1988), O(n) after the sort.

    The statistics are weighted sums of ranking measures, as in `ranking_utility`, of m models.
    Their covariance is the sum over classes of the covariance of their components, over the
    class size; weights are counts. With ``draws`` (n,), the influences of the samples of a
    draw are summed before they are squared (the sandwich of Liang and Zeger 1986), whatever
    their weights. The contribution of a class with N effective draws is scaled by
    N / (N - 1), which is unbiased for equal weights (Bell and McCaffrey 2002).
    """
    codes = samples.codes
    counts = samples.class_weights
    weights = weights_or_ones(samples.weights, len(codes))
    influences = [
        ranking_utility(ranking, codes, len(counts), row, weights, half_credit)[1]
        for row in samples.rows
    ]
    # Components of a sample are the measure with this sample as the only one of its class.
    centred = np.array(influences) * (counts / weights.sum())[codes]
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


def exact_covariance(samples: ScoredSamples, estimates: Floats) -> Floats:
    """Unbiased covariance (m, m) of VUS: product of estimates less its mean on disjoint samples.

    Two sequences of one sample of each class that have no sample in common are independent,
    so the mean over all pairs of them estimates the product of the expectations without
    bias. O(r n^2).
    """
    rankings = rankings_of(samples)
    m = len(rankings)
    disjoint = np.empty((m, m))
    for i in range(m):
        for j in range(i, m):
            share = _disjoint_chains(samples, rankings[i], rankings[j])
            disjoint[i, j] = disjoint[j, i] = share
    # E[V_1 V_2] - E[V_1] E[V_2]: the product of the estimates is the first term, disjoint
    # sequences give the second.
    return np.outer(estimates, estimates) - disjoint


def _disjoint_chains(
    samples: ScoredSamples, first: SortedSamples, other: SortedSamples
) -> float:
    """Share of disjoint pairs of sequences, one for each of two models, that both ascend."""
    counts = samples.class_weights
    n = len(samples.codes)
    place_in_first, place_in_second = np.empty((2, n), int)
    # Position of every sample in either ranking, counted in the order of the first.
    place_in_first[first.order] = np.arange(n)
    second = place_in_first[other.order]
    place_in_second[second] = np.arange(n)
    labels = samples.codes[first.order]
    by_class = np.argsort(labels, kind="stable")
    share = disjoint_chains(labels, second, place_in_second, by_class, 1.0 / counts)
    # Ordered pairs of two different samples of each class: n (n - 1) instead of n^2.
    return share * np.prod(counts / (counts - 1.0))
