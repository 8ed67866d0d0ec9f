"""Weighted ranking measures, and the influence of each sample on them."""

import math

import numpy as np

from moselect._kernels.chain_counts import ranking_components
from moselect._types import Floats, Integers
from moselect.metrics.class_pairs import weights_of_pairs
from moselect.metrics.covariance import draw_squares
from moselect.samples.samples import Samples
from moselect.selection.standard_errors import typical_weights

# over n: standard deviation of Jeffreys' posterior of an error rate with no error in n
# samples
JEFFREYS_ERROR = math.sqrt(0.5)


def ranking_utility(
    ranking: Floats, codes: Integers, n_classes: int, scores: Floats, weights: Floats
) -> tuple[float, Floats]:
    """Compute the weighted sum of ranking measures, and the influence (n,) of each sample.

    Class sizes are fixed: the influences of the samples of each class have mean 0.
    """
    r = n_classes
    masses = np.bincount(codes, weights, minlength=r).astype(np.float64)
    components = np.empty(len(codes))
    order = np.lexsort((-codes, scores))
    pair_weights = weights_of_pairs(ranking, masses)
    vus, pairs = ranking_components(
        order, codes, weights, pair_weights, float(ranking[0]), components
    )
    means = np.bincount(codes, weights * components, minlength=r)
    means = np.divide(means, masses, out=np.zeros(r), where=masses > 0.0)
    return float(ranking[0] * vus + pairs), weights.sum() * (components - means[codes])


def cross_validated_utility(
    ranking: Floats,
    codes: Integers,
    n_classes: int,
    scores: Floats,
    weights: Floats,
    folds: Integers | None = None,
    units: Integers | None = None,
) -> tuple[float, Floats]:
    """Compute the weighted ranking measures as a mean over folds with every class.

    The influence of each sample is its structural component over all folds, because a
    class may have a single sample in one fold. The remaining deviation of a fold from the
    mean (the higher-order terms of Hoeffding's decomposition) cannot be attributed to
    samples. It is distributed over the clusters of the fold with alternating signs, so
    that the sum of squares is its variance.
    """
    n = len(codes)
    r = n_classes
    units = np.arange(n) if units is None else units
    _, fold = np.unique(np.zeros(n) if folds is None else folds, return_inverse=True)
    masses = np.bincount(fold * r + codes, weights, minlength=(fold.max() + 1) * r)
    masses = masses.reshape(-1, r)
    complete = np.full(len(masses), folds is None) | masses.all(axis=1)
    if not complete.any():
        return math.nan, np.zeros(n)
    measured = np.zeros(len(masses))
    for j in np.flatnonzero(complete):
        rows = fold == j
        measured[j], _ = ranking_utility(
            ranking, codes[rows], r, scores[rows], weights[rows]
        )
    shares = masses.sum(axis=1) * complete
    shares /= shares.sum()
    utility = float(shares @ measured)
    used = complete[fold]
    totals = masses[complete].sum(axis=0)
    influence = np.zeros(n)
    _, influence[used] = ranking_utility(
        ranking, codes[used], r, scores[used], weights[used]
    )
    # In a fold, the samples of a class have the share of the fold between them.
    # avoids division by 0
    small = 1e-200
    influence *= (shares[:, None] * totals / np.maximum(masses, small))[fold, codes]
    rest = shares * (measured - utility)
    rest -= np.bincount(fold, weights * influence) / totals.sum()
    rest *= np.sqrt(complete.sum() / max(1, complete.sum() - 1))
    # Deviations from a mean of N effective draws are too small by N / (N - 1).
    squares = draw_squares(codes[used], weights[used], units[used], r)
    draws = totals**2 / np.maximum(squares, small)
    influence *= np.sqrt(draws / np.maximum(draws - 1.0, 1.0))[codes]
    of_fold = np.bincount(
        fold[np.unique(units, return_index=True)[1]], minlength=len(masses)
    )
    dealt = rest / np.sqrt(np.maximum(of_fold, 1)) * totals.sum()
    mass = np.maximum(np.bincount(units, weights), small)
    influence += dealt[fold] * used * (-1.0) ** units / mass[units]
    return utility, weights.sum() / totals.sum() * influence


def one_misranked(ranking: Floats, samples: Samples, utility: float) -> float:
    """Compute the change of the weighted ranking measures by half a further misranked sample.

    The sample, of the typical weight of its class, is ranked beyond a neighbour class: its
    pairs with that are lost, and the right chains of VUS through it.
    """
    r = samples.n_classes
    masses = np.asarray(samples.class_weights, dtype=np.float64)
    typical = typical_weights(samples)
    share = np.divide(typical, masses, out=np.zeros(r), where=masses > 0.0)
    pairs = np.diagonal(weights_of_pairs(ranking, masses), -1) * masses[1:] * masses[:-1]
    lost = (pairs * np.maximum(share[1:], share[:-1])).max()
    rarest = share.max()
    # Beyond one of its r - 1 neighbours; of many classes hardly any chain is right.
    chains = ranking[0] * max(utility, 1.0 / (r - 1)) * rarest
    return JEFFREYS_ERROR * float(lost + chains)
