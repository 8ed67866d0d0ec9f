"""Independent draws of samples, and covariances of ranking measures of several models."""

import math
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
from moselect.samples.samples import Samples
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


SMALLEST_MASS = 1e-200  # avoids division by 0


def cross_validated_utility(
    ranking: Floats, samples: Samples, scores: Floats, folds: Integers | None = None
) -> tuple[float, Floats]:
    """Compute the weighted ranking measures as a mean over folds with every class.

    The influence of each sample is its structural component over all folds, as a class may
    have a single sample in one. The remaining deviation of a fold (the higher-order terms
    of Hoeffding's decomposition) belongs to no sample: see `deal_to_clusters`.
    """
    codes = samples.codes
    n = len(codes)
    n_classes = samples.n_classes
    weights = samples.sample_weight_or_ones
    units = samples.units
    if folds is None:
        folds = np.zeros(n, int)
    _, fold = np.unique(folds, return_inverse=True)
    masses = np.bincount(
        fold * n_classes + codes, weights, minlength=(fold.max() + 1) * n_classes
    )
    masses = masses.reshape(-1, n_classes)
    complete = np.full(len(masses), folds is None) | masses.all(axis=1)
    if not complete.any():
        return math.nan, np.zeros(n)
    measured = np.zeros(len(masses))
    for j in np.flatnonzero(complete):
        rows = fold == j
        measured[j], _ = ranking_utility(
            ranking, codes[rows], n_classes, scores[rows], weights[rows]
        )
    shares = masses.sum(axis=1) * complete
    shares /= shares.sum()
    utility = shares @ measured
    used = complete[fold]
    totals = masses[complete].sum(axis=0)
    influence = np.zeros(n)
    _, influence[used] = ranking_utility(
        ranking, codes[used], n_classes, scores[used], weights[used]
    )
    # In a fold, the samples of a class have the share of the fold between them.
    influence *= (shares[:, None] * totals / np.maximum(masses, SMALLEST_MASS))[
        fold, codes
    ]
    rest = shares * (measured - utility)
    rest -= np.bincount(fold, weights * influence) / totals.sum()
    rest *= np.sqrt(complete.sum() / max(1, complete.sum() - 1))
    # Deviations from a mean of N effective draws are too small by N / (N - 1).
    squares = draw_squares(codes[used], weights[used], units[used], n_classes)
    draws = totals**2 / np.maximum(squares, SMALLEST_MASS)
    influence *= np.sqrt(draws / np.maximum(draws - 1.0, 1.0))[codes]
    influence += deal_to_clusters(rest * totals.sum(), fold, weights, units) * used
    return utility, weights.sum() / totals.sum() * influence


def deal_to_clusters(
    deviations: Floats, fold: Integers, weights: Floats, units: Integers
) -> Floats:
    """Distribute the deviation of each fold (k,) over its samples, as influences (n,).

    The variance of a mean is the sum of the squared influences of its clusters; the variance
    of the difference of two candidates is the sum of their squared differences. Deviations of
    folds enter both if each of the m clusters of a fold takes the deviation over the root of
    m: the squares add up to the squared deviation. The signs alternate, so that the mean stays.
    Deviations that two candidates share cancel in their difference, as they should.
    """
    first = np.unique(units, return_index=True)[1]
    n_clusters = np.bincount(fold[first], minlength=len(deviations))
    parts = deviations / np.sqrt(np.maximum(n_clusters, 1))
    mass = np.maximum(np.bincount(units, weights), SMALLEST_MASS)
    return parts[fold] * (-1.0) ** units / mass[units]
