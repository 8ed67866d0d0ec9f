"""Conformal calibration of prediction sets by out-of-fold probabilities."""

from dataclasses import replace
from typing import Literal

import numpy as np
import pandas as pd

from moselect._types import Booleans, Floats, Integers
from moselect.budgets import INSPECTION
from moselect.inference.standard_errors import bin_shares, in_clusters, rate_of
from moselect.predictor.predictions import SetWeights, heaviest_sums
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples

COVERAGES = (0.5, 0.65, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99)
# Weights so small that every set is a single class, and so large that none leaves a class
# out.
LEAST = 1e-3
MOST = 1e12
CLIP_PROBA = 1e-9
# Parts of the samples by which sets in each class are cross-validated: with a fifth less of few
# samples of a class, sets would be much larger.
CLASS_PARTS = 20


def calibrate_sets(
    samples: Samples, proba: Floats, coverages: tuple[float, ...] = COVERAGES
) -> SetWeights:
    """Calibrate prediction sets for some coverages, over all rows and in each class.

    Cross-conformal prediction (Vovk 2015, Annals of Mathematics and Artificial
    Intelligence 74, 9-28): each sample is scored out of fold. A
    further sample may be as hard as the hardest one, so the coverage is n of
    n + 1 samples; n is the effective number of independent samples if they have weights
    or groups. Coverage in each class is label-conditional (Mondrian) calibration, with
    the weights of all classes solved together, as each one changes all sets.

    Parameters
    ----------
    samples : Samples
        True classes, with the weights and groups that hold in use.
    proba : ndarray of shape (n, r)
        Out-of-fold class probabilities.
    coverages : tuple of float
        The coverages, ascending.
    """
    shuffled = np.random.default_rng(0).permutation(len(samples))
    rows = np.sort(shuffled[: INSPECTION.set_rows])
    samples = in_clusters(samples).take(rows)
    proba = np.maximum(proba[rows], CLIP_PROBA)
    overall = [_common_weight(samples, proba, level) for level in coverages]
    by_class = [_class_weights(samples, proba, level).tolist() for level in coverages]
    return SetWeights(list(coverages), overall, by_class)


def set_figures(
    samples: Samples,
    proba: Floats,
    folds: Integers,
    coverage: float,
    by: Literal["class"] | None,
) -> pd.DataFrame:
    """Estimate coverage and mean size of prediction sets, overall and by true class.

    Sets of each fold are calibrated by the other folds; see `Evidence.sets`.
    """
    clustered = in_clusters(samples)
    parts = folds
    if by == "class":
        parts = Folds.deal(samples.cv_groups, samples.codes, CLASS_PARTS).index
    ranges = np.zeros((len(samples), 2), int)
    for part in np.unique(parts):
        test = parts == part
        known = calibrate_sets(clustered.take(~test), proba[~test], (coverage,))
        ranges[test] = known.ranges(proba[test], coverage, by)
    first, last = ranges.T
    covered = (first <= samples.codes) & (samples.codes <= last)
    with_features = replace(clustered, X=samples.X)
    rows = {}
    every = np.ones(samples.n_classes, bool)
    own = np.diag(every)
    for name, among in zip(["all", *samples.classes], [every, *own], strict=True):
        part = among[samples.codes]
        if not part.any():
            continue
        coverage, error, _ = rate_of(covered, clustered, among)
        variance = error**2
        models = rate_of(covered, with_features, among, folds=folds).error ** 2 - variance
        # By chance alone folds differ, too, so this part of the difference does not count.
        by_chance = (len(np.unique(folds)) + 1) * variance
        variance += models**2 / max(models + by_chance, 1e-12)
        weights = part * samples.sample_weight_or_ones
        size = np.average(last - first + 1, weights=weights)
        rows[name] = np.count_nonzero(part), coverage, np.sqrt(variance), size
    return pd.DataFrame.from_dict(
        rows, orient="index", columns=["rows", "coverage", "std_error", "size"]
    )


WEIGHT_BISECTIONS = 40


def _common_weight(samples: Samples, proba: Floats, level: float) -> float:
    """Find the least common weight of the classes at which sets have a coverage."""
    # With a common weight w the best range of each length l has the same classes for any
    # w, and the sum w p - l: p of each sample and length, and whether it has the true class.
    n, r = proba.shape
    sums = np.pad(proba.cumsum(axis=1), ((0, 0), (1, 0)))
    lengths = np.arange(1, r + 1)
    best = np.empty((n, r))
    holds = np.empty((n, r), bool)
    for length in lengths:
        of_ranges = sums[:, length:] - sums[:, :-length]
        first = of_ranges.argmax(axis=1)
        best[:, length - 1] = of_ranges.max(axis=1)
        holds[:, length - 1] = (first <= samples.codes) & (samples.codes < first + length)

    def covered(weight: float) -> Booleans:
        return holds[np.arange(n), (weight * best - lengths).argmax(axis=1)]

    def least(wanted: float) -> float:
        low = np.log(LEAST)
        high = np.log(MOST)
        for _ in range(WEIGHT_BISECTIONS):
            middle = (low + high) / 2.0
            share = np.average(covered(np.exp(middle)), weights=samples.weights)
            low, high = (low, middle) if share >= wanted else (middle, high)
        return float(np.exp(high))

    return least(_corrected(level, covered(least(level)), samples))


# Coordinate-wise passes over the weights of the classes, and the change at which they
# end.
WEIGHT_ROUNDS = 20
WEIGHT_TOLERANCE = 0.01


def _class_weights(samples: Samples, proba: Floats, level: float) -> Floats:
    """Solve for the weights (r,) of the classes at which each class has a coverage.

    From sets of all classes on: from small sets classes may displace each other in turn.
    """
    weights = np.full(samples.n_classes, MOST)
    parts = [np.flatnonzero(samples.codes == k) for k in range(samples.n_classes)]
    known = [samples.take(rows) for rows in parts]
    for _ in range(WEIGHT_ROUNDS):
        before = weights.copy()
        for k, rows in enumerate(parts):
            if known[k].sample_weight_or_ones.any():  # rows, of a prior above 0
                needed = _least_weights(proba[rows] * weights, proba[rows, k], k)
                weight = _quantile(needed, level, known[k])
                wanted = _corrected(level, needed <= weight, known[k])
                weights[k] = np.clip(_quantile(needed, wanted, known[k]), LEAST, MOST)
        if np.abs(np.log(weights / before)).max() < WEIGHT_TOLERANCE:
            break
    return weights


def _least_weights(values: Floats, proba: Floats, k: int) -> Floats:
    """Compute the least weight (n,) of class k at which each set holds it.

    With v = w p and the other weights fixed, the best range around class k has the sum
    v_k - 1 + L + R, with the best sums L and R of its neighbours, 0 if negative; it has
    to reach the best sum of a range without class k.
    """
    below = values[:, :k]
    above = values[:, k + 1 :]
    others = sum(
        (side - 1.0).cumsum(axis=1).max(axis=1, initial=0.0)
        for side in (below[:, ::-1], above)
    )
    best = np.maximum(heaviest_sums(below), heaviest_sums(above))
    # A hair more, as a tie is decided by rounding.
    return (best + 1.0 - others) / proba * (1.0 + 1e-9)


def _quantile(values: Floats, level: float, samples: Samples) -> float:
    """Compute the weighted quantile of values (n,), `MOST` for levels of 1 and more."""
    order = np.argsort(values)
    weights = samples.sample_weight_or_ones[order]
    shares = np.cumsum(weights) / weights.sum()
    place = np.searchsorted(shares, level - 1e-12)
    return MOST if place == len(values) else values[order[place]]


def _corrected(level: float, covered: Booleans, samples: Samples) -> float:
    """Return the coverage of n samples that gives one further sample the coverage ``level``.

    The effective number n of independent samples is estimated at the sets that do, by the
    design effect of weights and groups.
    """
    _, n = bin_shares(covered.astype(int), 2, samples)
    return level * (1.0 + 1.0 / n)
