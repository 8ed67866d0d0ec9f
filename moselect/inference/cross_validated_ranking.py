"""Weighted ranking measures of scores of fold models, with their influences."""

import math

import numpy as np

from moselect._types import Floats, Integers
from moselect.inference.covariance import draw_squares, ranking_utility
from moselect.samples.samples import Samples

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
