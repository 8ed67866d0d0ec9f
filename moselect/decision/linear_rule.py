"""A linear rule for given costs: direction, thresholds, and what it takes to fit them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from moselect.decision.direction import tune_direction
from moselect.decision.thresholds import smooth_thresholds
from moselect.models import (
    class_probabilities,
    fit_proportional_odds,
    merge_equal,
    one_blas_thread,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

N_FOLDS = 5
PENALTIES = (100.0, 30.0, 10.0, 3.0, 1.0)  # ridge, from the one whose fit is fastest
EMPHASES = (0.0, 1.0, 2.0, 4.0)  # weights of the costs beside the likelihood
CANDIDATES = ((0,), (1,), (2, 3))  # which of them are averaged into one direction
SHARPNESS = 0.1  # of the preference for candidates that cost less on samples not fitted
MOST_ROWS = 10_000  # more samples hardly change what is fitted without a fold
UNLIKELY = 1e-6  # least probability counted, for a class that a fold was fitted without


class LinearRule(NamedTuple):
    """A rule, and its cross-validated predictions: by rules fitted without the sample."""

    weights: Floats  # (p,) in the units of the features
    thresholds: Floats  # (r - 1,)
    cross_validated: Integers  # (n,) class codes predicted
    cross_scores: Floats  # (n,) in standard deviations from the mean of each fold's scores


class LinearRuleFitter:
    """Fit linear rules to one table, for any costs.

    What does not depend on costs is done once: equal samples are merged into one with a weight
    and put into an order of their own, features are standardised, the ridge penalty is chosen by
    cross-validated likelihood, and proportional odds are fitted, with and without each fold.

    Parameters
    ----------
    values : ndarray of shape (n, p)
        Finite features, in any units.
    codes : ndarray of shape (n,)
        Class codes 0 .. r - 1, each class with samples.
    n_classes : int
        r.
    weights : ndarray of shape (n,), optional
        Weights of the samples.

    Attributes
    ----------
    folds : ndarray of shape (n,)
        The fold 0 .. 4 of each sample with weight. Equal features are in one fold.
    penalty : float
        Ridge penalty on the standardised weights.
    """

    @one_blas_thread()
    def __init__(
        self, values: Floats, codes: Integers, n_classes: int, weights: Floats | None = None
    ) -> None:
        merged, self._codes, self._weights, self._index = merge_equal(values, codes, weights)
        centre, self._inverse_scale = _standardisation(merged, self._weights)
        self._Z = (merged - centre) * self._inverse_scale
        self._offset = centre
        self._n_classes = n_classes
        self._folds = _deal_folds(merged, self._codes, self._weights)
        self.folds: Integers = self._folds[self._index]
        self._inside = [self._subsample(self._folds != j) for j in range(N_FOLDS)]
        self.penalty = self._best_penalty()
        everything = np.ones(len(merged), dtype=np.bool_)
        self._all = everything
        self._start = self._proportional_odds(everything, self.penalty)
        self._fold_starts = [
            self._proportional_odds(inside, self.penalty, self._start) for inside in self._inside
        ]

    def plug_in(self, costs: Floats) -> tuple[Integers, Integers]:
        """Predict all samples by the plug-in rule of proportional odds.

        Returns
        -------
        fitted, cross_validated : ndarray of shape (n,)
            Class codes, by the model of all samples and by that without the sample's fold.
        """
        fitted_proba = class_probabilities(self._Z @ self._start[0], self._start[1])
        held_out = np.empty_like(fitted_proba)
        for j, start in enumerate(self._fold_starts):
            outside = self._folds == j
            held_out[outside] = class_probabilities(self._Z[outside] @ start[0], start[1])
        fitted = (fitted_proba @ costs).argmin(axis=1)
        cross_validated = (held_out @ costs).argmin(axis=1)
        return fitted[self._index], cross_validated[self._index]

    @one_blas_thread()
    def fit(self, costs: Floats) -> LinearRule:
        """Fit the rule for a cost matrix (r, r).

        Directions tuned to the costs with more or less emphasis are averaged, with weights that
        fall off with what they cost on samples that they were not fitted to.
        """
        candidates = self._candidates(self._all, costs, self._start)
        paid = np.zeros(len(CANDIDATES))
        of_folds = []
        for j, (inside, start) in enumerate(zip(self._inside, self._fold_starts, strict=True)):
            outside = self._folds == j
            own = self._candidates(inside, costs, start)
            of_folds.append(own)
            for k, direction in enumerate(own):
                predicted, _ = self._cut(direction, inside, outside, costs)
                paid[k] += self._weights[outside] @ costs[self._codes[outside], predicted]
        shares = _preferences(paid, self._weights.sum())

        cross_validated = np.empty(len(self._codes), dtype=np.int64)
        cross_scores = np.empty(len(self._codes))
        for j, (inside, own) in enumerate(zip(self._inside, of_folds, strict=True)):
            outside = self._folds == j
            predicted, scores = self._cut(shares @ own, inside, outside, costs)
            cross_validated[outside], cross_scores[outside] = predicted, scores
        direction = shares @ candidates
        # Half by the scores of the rule itself, which are overfitted, half by the cross-validated
        # ones, which belong to other rules.
        scores = self._Z @ direction
        centre, spread = moments(scores, self._weights)
        thresholds = smooth_thresholds(
            np.concatenate([scores, centre + spread * cross_scores]),
            np.tile(self._codes, 2),
            costs,
            np.tile(self._weights / 2.0, 2),
        )
        weights = direction * self._inverse_scale
        return LinearRule(
            weights,
            thresholds + weights @ self._offset,
            cross_validated[self._index],
            cross_scores[self._index],
        )

    def _candidates(self, rows: Booleans, costs: Floats, start: tuple[Floats, Floats]) -> Floats:
        """Fit the directions (k, p) to be averaged to some rows."""
        Z, codes, weights = self._Z[rows], self._codes[rows], self._weights[rows]
        tuned = []
        for emphasis in EMPHASES:
            start = tune_direction(Z, codes, costs, self.penalty, emphasis, start, weights)
            tuned.append(_unit(start[0], Z, weights))
        means = [np.mean([tuned[i] for i in chosen], axis=0) for chosen in CANDIDATES]
        return np.array([_unit(mean, Z, weights) for mean in means])

    def _cut(
        self, direction: Floats, inside: Booleans, outside: Booleans, costs: Floats
    ) -> tuple[Integers, Floats]:
        """Cut a direction at thresholds from the rows inside; predict and score those outside."""
        own, scores = self._Z[inside] @ direction, self._Z[outside] @ direction
        weights = self._weights[inside]
        thresholds = smooth_thresholds(own, self._codes[inside], costs, weights)
        centre, spread = moments(own, weights)
        return np.searchsorted(thresholds, scores, side="left"), (scores - centre) / (spread or 1.0)

    def _proportional_odds(
        self, rows: Booleans, penalty: float, start: tuple[Floats, Floats] | None = None
    ) -> tuple[Floats, Floats]:
        Z, codes, weights = self._Z[rows], self._codes[rows], self._weights[rows]
        return fit_proportional_odds(Z, codes, self._n_classes, penalty, weights, start=start)

    def _best_penalty(self) -> float:
        """Find the penalty with the greatest cross-validated likelihood."""
        likelihood = np.zeros(len(PENALTIES))
        for j, inside in enumerate(self._inside):
            outside = self._folds == j
            at = np.arange(int(outside.sum())), self._codes[outside]
            start = None
            for k, penalty in enumerate(PENALTIES):
                start = self._proportional_odds(inside, penalty, start)
                own = class_probabilities(self._Z[outside] @ start[0], start[1])[at]
                likelihood[k] += self._weights[outside] @ np.log(np.maximum(own, UNLIKELY))
        return PENALTIES[int(likelihood.argmax())]

    def _subsample(self, rows: Booleans) -> Booleans:
        """Keep at most `MOST_ROWS` rows, evenly spaced."""
        # If all samples have the same features, none is left: then all are as good.
        chosen = np.flatnonzero(rows) if rows.any() else np.arange(len(rows))
        kept = np.zeros_like(rows)
        kept[chosen[:: -(-len(chosen) // MOST_ROWS) or 1]] = True
        return kept


def moments(scores: Floats, weights: Floats) -> tuple[float, float]:
    """Compute the weighted mean and standard deviation."""
    mean = np.average(scores, weights=weights)
    return float(mean), float(np.sqrt(np.average((scores - mean) ** 2, weights=weights)))


def _preferences(paid: Floats, total: float) -> Floats:
    """Compute weights of sum 1 that fall off exponentially with total costs over their mean."""
    mean = paid.mean() / total
    if mean == 0.0:
        return np.full(len(paid), 1.0 / len(paid))
    shares = np.exp(-SHARPNESS * (paid - paid.min()) / mean)
    return np.asarray(shares / shares.sum())


def _unit(direction: Floats, Z: Floats, weights: Floats) -> Floats:
    """Scale a direction so that its scores have standard deviation 1, unless it is 0."""
    spread = moments(Z @ direction, weights)[1]
    return direction / (spread or 1.0)


def _standardisation(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Compute the means and inverse standard deviations (p,), 0 for a constant feature."""
    centre = np.average(values, axis=0, weights=weights)
    scale = np.sqrt(np.average((values - centre) ** 2, axis=0, weights=weights))
    varying = (np.ptp(values, axis=0) > 0.0) & (scale > 0.0)
    return centre, np.divide(1.0, scale, out=np.zeros_like(scale), where=varying)


def _deal_folds(values: Floats, codes: Integers, weights: Floats) -> Integers:
    """Deal the rows out to the folds, always in the same way, equal features to one fold.

    Leaving out a sample but not another with the same features would not be a test on new data.
    The folds are stratified by the mean class.
    """
    _, group = np.unique(values, axis=0, return_inverse=True)
    group = group.ravel()
    mean_class = np.bincount(group, weights * codes) / np.bincount(group, weights)
    at_random = np.random.default_rng(0).permutation(len(mean_class))
    folds = np.empty(len(mean_class), dtype=np.int64)
    folds[np.lexsort((at_random, mean_class))] = np.arange(len(mean_class)) % N_FOLDS
    return np.asarray(folds[group])
