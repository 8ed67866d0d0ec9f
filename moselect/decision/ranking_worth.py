"""Worth of a ranking: measures of it, weighted, with the influence of each sample."""

from __future__ import annotations

import math

import numpy as np

from moselect._kernels.components import ranking_components
from moselect._types import Floats, Integers
from moselect.decision.standard_errors import typical_weights
from moselect.metrics.ranking.class_pairs import pair_worths
from moselect.metrics.uncertainty.draws import draw_squares
from moselect.samples import Samples

SMALL = 1e-200  # divides what is 0, too
# times 1 / n the standard deviation of Jeffreys' posterior of a share, if none of n is wrong
JEFFREYS_ERROR = math.sqrt(0.5)


def ranking_worth(
    ranking: Floats, codes: Integers, n_classes: int, scores: Floats, weights: Floats
) -> tuple[float, Floats]:
    """Return the worth of a ranking, and the influence (n,) of each sample on it.

    Class sizes are taken as given: the influences of the samples of each class have mean
    0.
    """
    r = n_classes
    masses = np.bincount(codes, weights, minlength=r).astype(np.float64)
    components = np.empty(len(codes))
    order = np.lexsort((-codes, scores))
    worths = pair_worths(ranking, masses)
    vus, pairs = ranking_components(
        order, codes, weights, worths, float(ranking[0]), components
    )
    means = np.bincount(codes, weights * components, minlength=r)
    means = np.divide(means, masses, out=np.zeros(r), where=masses > 0.0)
    return float(ranking[0] * vus + pairs), weights.sum() * (components - means[codes])


def cross_validated_worth(
    ranking: Floats,
    codes: Integers,
    n_classes: int,
    scores: Floats,
    weights: Floats,
    folds: Integers | None = None,
    units: Integers | None = None,
) -> tuple[float, Floats]:
    """Compute the worth of a ranking, the mean over folds with every class.

    The influence of each sample comes from its structural component among all folds:
    in one fold, a class may have one sample only. The rest of what makes a fold
    differ from the mean (the terms of higher order in Hoeffding's decomposition) is
    no sample's own. It is dealt to the units of the fold with alternating signs, so
    that the sum of its squares is its variance.
    """
    n, r = len(codes), n_classes
    units = np.arange(n) if units is None else units
    parts = [np.arange(n)]
    if folds is not None:
        parts = [np.flatnonzero(folds == fold) for fold in np.unique(folds)]
        parts = [rows for rows in parts if len(np.unique(codes[rows])) == r]
    if not parts:
        return math.nan, np.zeros(n)
    used = np.concatenate(parts)
    _, pooled = ranking_worth(ranking, codes[used], r, scores[used], weights[used])
    masses = np.bincount(codes[used], weights[used], minlength=r)
    total = sum(weights[rows].sum() for rows in parts)
    components = np.zeros(n)  # less their mean in the class
    components[used] = pooled * masses[codes[used]] / total
    # Deviations from a mean of N effective draws are too small by N / (N - 1).
    squares = draw_squares(codes[used], weights[used], units[used], r)
    draws = masses**2 / np.maximum(squares, SMALL)
    widened = np.sqrt(draws / np.maximum(draws - 1.0, 1.0))
    shares, worths, moved = np.empty((3, len(parts)))
    worth, influence = 0.0, np.zeros(n)
    for j, rows in enumerate(parts):
        w = weights[rows]
        worths[j], _ = ranking_worth(ranking, codes[rows], r, scores[rows], w)
        worth += worths[j] * w.sum() / total
        shares[j] = w.sum() / total
        of_classes = np.maximum(np.bincount(codes[rows], w, minlength=r), SMALL)
        each = shares[j] / of_classes[codes[rows]]
        moved[j] = (w * each) @ components[rows]
        influence[rows] = each * components[rows] * widened[codes[rows]]
    rest = shares * (worths - worth) - moved
    rest *= np.sqrt(len(parts) / max(1, len(parts) - 1))
    for rows, rest_of_fold in zip(parts, rest, strict=True):
        _, unit = np.unique(units[rows], return_inverse=True)
        mass = np.maximum(np.bincount(unit, weights[rows]), SMALL)
        dealt = rest_of_fold / np.sqrt(len(mass)) * (-1.0) ** np.arange(len(mass))
        influence[rows] += (dealt / mass)[unit]
    return float(worth), weights.sum() * influence


def one_misranked(ranking: Floats, samples: Samples, worth: float) -> float:
    """Compute how much half a misranked sample more may change the worth of a ranking.

    The sample, of the typical weight of its class, is ranked beyond a neighbour class: its
    pairs with that are lost, and the right or wrong chains of VUS through it change.
    """
    r = samples.n_classes
    masses = np.asarray(samples.class_weights, dtype=np.float64)
    typical = typical_weights(samples)
    share = np.divide(typical, masses, out=np.zeros(r), where=masses > 0.0)
    pairs = np.diagonal(pair_worths(ranking, masses), -1) * masses[1:] * masses[:-1]
    lost = (pairs * np.maximum(share[1:], share[:-1])).max()
    rarest = share.max()
    chains = ranking[0] * max(worth, 1.0 - worth) * rarest
    return JEFFREYS_ERROR * float(lost + chains)
