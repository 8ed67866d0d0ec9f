"""Standardised samples, dealt out to folds, and what follows from directions of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from moselect.models import merge_equal

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

N_FOLDS = 5
MOST_ROWS = 10_000  # more samples do not move what is fitted without a fold enough to pay


class FoldedSamples:
    """The samples that rules are fitted to, in parts: all of them, and without each fold.

    Equal samples are merged into one with a weight and put into an order of their own, so that
    nothing depends on how they came.

    Parameters
    ----------
    values, codes, n_classes, weights
        As in `LinearRuleFitter`.

    Attributes
    ----------
    Z : ndarray of shape (n, p)
        Standardised features.
    codes, weights, folds : ndarray of shape (n,)
        Classes, weights, and folds 0 .. 4; equal features are in one fold.
    place : ndarray of int
        The place of each sample with weight, as they came, among the n.
    parts : list of ndarray of bool, shape (n,)
        Samples to fit to: all, and those without each fold; every so-manyth of very many.
    offset, inverse_scale : ndarray of shape (p,)
        Means, and inverse standard deviations, 0 for a constant feature.
    """

    def __init__(
        self, values: Floats, codes: Integers, n_classes: int, weights: Floats | None
    ) -> None:
        merged, self.codes, self.weights, self.place = merge_equal(values, codes, weights)
        self.n_classes = n_classes
        self.offset, self.inverse_scale = _standardisation(merged, self.weights)
        self.Z: Floats = (merged - self.offset) * self.inverse_scale
        self.folds = _deal_folds(merged, self.codes, self.weights)
        everything = np.ones(len(merged), dtype=np.bool_)
        self.parts = [_thinned(everything)]
        self.parts += [_thinned(self.folds != j) for j in range(N_FOLDS)]

    def unit(self, direction: Floats, part: Booleans) -> Floats:
        """Return a direction (p,) for which the scores of a part have standard deviation 1.

        A direction without any spread stays as it is.
        """
        spread = moments(self.Z[part] @ direction, self.weights[part])[1]
        return direction / (spread or 1.0)

    def cross_scores(self, directions: Sequence[Floats] | Floats) -> Floats:
        """Return the scores (n,) of samples under the direction without their fold.

        ``directions`` has one (p,) a part, that of all samples first, which is not used, or several
        (m, p); then scores have shape (m, n). They are centred on the mean without the fold.
        """
        stacked = np.asarray(directions)
        scores = np.empty((*stacked.shape[1:-1], len(self.Z)))
        for j, own in enumerate(stacked[1:]):
            outside, inside = self.folds == j, self.parts[j + 1]
            centre = np.average(self.Z[inside], axis=0, weights=self.weights[inside])
            scores[..., outside] = own @ (self.Z[outside] - centre).T
        return scores


def moments(scores: Floats, weights: Floats) -> tuple[float, float]:
    """Return the weighted mean and standard deviation."""
    mean = np.average(scores, weights=weights)
    return float(mean), float(np.sqrt(np.average((scores - mean) ** 2, weights=weights)))


def _thinned(rows: Booleans) -> Booleans:
    """Keep every so-manyth of very many rows."""
    # If all samples have the same features, none is left: then all are as good.
    chosen = np.flatnonzero(rows) if rows.any() else np.arange(len(rows))
    thinned = np.zeros_like(rows)
    thinned[chosen[:: -(-len(chosen) // MOST_ROWS) or 1]] = True
    return thinned


def _standardisation(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return the means and inverse standard deviations (p,), 0 for a constant feature."""
    centre = np.average(values, axis=0, weights=weights)
    scale = np.sqrt(np.average((values - centre) ** 2, axis=0, weights=weights))
    varying = (np.ptp(values, axis=0) > 0.0) & (scale > 0.0)
    return centre, np.divide(1.0, scale, out=np.zeros_like(scale), where=varying)


def _deal_folds(values: Floats, codes: Integers, weights: Floats) -> Integers:
    """Deal the rows out to the folds, always in the same way, equal features to one fold.

    Leaving out an object but not another with the same features and another class would tell on
    it. The folds are stratified by the mean class.
    """
    _, group = np.unique(values, axis=0, return_inverse=True)
    group = group.ravel()
    mean_class = np.bincount(group, weights * codes) / np.bincount(group, weights)
    at_random = np.random.default_rng(0).permutation(len(mean_class))
    folds = np.empty(len(mean_class), dtype=np.int64)
    folds[np.lexsort((at_random, mean_class))] = np.arange(len(mean_class)) % N_FOLDS
    return np.asarray(folds[group])
