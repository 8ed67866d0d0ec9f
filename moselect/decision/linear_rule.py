"""A linear rule for given costs: direction, thresholds, and what it takes to fit them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from moselect.decision.direction import tune_direction
from moselect.decision.thresholds import smooth_thresholds
from moselect.models import class_probabilities, fit_proportional_odds

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

PENALTIES = (100.0, 30.0, 10.0, 3.0, 1.0)  # ridge, from the one whose fit is fastest
N_FOLDS = 5
EMPHASES = (1.0, 2.0, 4.0)  # weights of the costs beside the likelihood; directions are averaged
UNLIKELY = 1e-6  # least probability counted, for a class that a fold was fitted without


class LinearRuleFitter:
    """Fit linear rules to one table, for any costs.

    What does not depend on costs is done once: equal objects are merged into one with a weight
    and put into an order of their own, features are standardised, the ridge penalty is chosen by
    cross-validated likelihood, and proportional odds are fitted.

    Parameters
    ----------
    values : ndarray of shape (n, p)
        Finite features, in any units.
    codes : ndarray of shape (n,)
        Class codes 0 .. r - 1, each class with objects.
    n_classes : int
        r.
    weights : ndarray of shape (n,), optional
        Weights of the objects.
    penalty : float, optional
        Ridge penalty on the standardised weights; chosen by cross-validation unless given.

    Attributes
    ----------
    penalty : float
        Ridge penalty.
    """

    def __init__(
        self,
        values: Floats,
        codes: Integers,
        n_classes: int,
        weights: Floats | None = None,
        *,
        penalty: float | None = None,
    ) -> None:
        self._values, self._codes, self._weights = _merge_equal(values, codes, weights)
        self._centre, self._inverse_scale = _standardisation(self._values, self._weights)
        self._Z = (self._values - self._centre) * self._inverse_scale
        self._n_classes = n_classes
        self.penalty = self._best_penalty() if penalty is None else penalty
        self._start = fit_proportional_odds(
            self._Z, self._codes, n_classes, self.penalty, self._weights
        )

    def probabilities(self, values: Floats) -> Floats:
        """Give the class probabilities (n, r) under proportional odds."""
        Z = (values - self._centre) * self._inverse_scale
        return class_probabilities(Z @ self._start[0], self._start[1])

    def fit(self, costs: Floats) -> tuple[Floats, Floats]:
        """Give the weights (p,) and thresholds (r - 1,) of the rule, in units of the features."""
        weights = self.direction(costs)
        scores = self._values @ weights
        return weights, smooth_thresholds(scores, self._codes, costs, self._weights)

    def direction(self, costs: Floats) -> Floats:
        """Give the mean of the directions tuned to the costs with several emphases."""
        mean = np.zeros(self._Z.shape[1])
        start = self._start
        for emphasis in EMPHASES:
            start = tune_direction(
                self._Z, self._codes, costs, self.penalty, emphasis, start, self._weights
            )
            spread = _spread(self._Z @ start[0], self._weights)
            mean += start[0] / (spread if spread > 0.0 else 1.0)
        return mean * self._inverse_scale

    def _best_penalty(self) -> float:
        """Give the penalty with the greatest likelihood of objects that were not fitted."""
        folds = deal_folds(self._codes, self._n_classes)
        likelihood = np.zeros(len(PENALTIES))
        for j in range(N_FOLDS):
            inside, outside = folds != j, folds == j
            start = None
            if not outside.any():
                continue
            for k, penalty in enumerate(PENALTIES):
                start = fit_proportional_odds(
                    self._Z[inside],
                    self._codes[inside],
                    self._n_classes,
                    penalty,
                    self._weights[inside],
                    start=start,
                )
                stated = class_probabilities(self._Z[outside] @ start[0], start[1])
                own = np.maximum(stated[np.arange(len(stated)), self._codes[outside]], UNLIKELY)
                likelihood[k] += self._weights[outside] @ np.log(own)
        return PENALTIES[int(likelihood.argmax())]


def _merge_equal(
    values: Floats, codes: Integers, weights: Floats | None
) -> tuple[Floats, Integers, Floats]:
    """Merge equal rows of one class, drop those without weight, and sort the rest."""
    w = np.ones(len(codes)) if weights is None else weights
    counted = w > 0.0
    table = np.column_stack([values, codes])[counted]
    rows, place = np.unique(table, axis=0, return_inverse=True)
    merged = np.bincount(place.ravel(), w[counted], minlength=len(rows)).astype(np.float64)
    return np.ascontiguousarray(rows[:, :-1]), rows[:, -1].astype(np.int64), merged


def _standardisation(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Give the means and inverse standard deviations (p,), 0 for a constant feature."""
    centre = np.average(values, axis=0, weights=weights)
    scale = np.sqrt(np.average((values - centre) ** 2, axis=0, weights=weights))
    constant = np.ptp(values, axis=0) == 0.0
    return centre, np.divide(1.0, scale, out=np.zeros_like(scale), where=~constant & (scale > 0.0))


def deal_folds(codes: Integers, n_classes: int) -> Integers:
    """Deal the objects of each class out to the folds, in an order that is always the same."""
    rng = np.random.default_rng(0)
    folds = np.empty(len(codes), dtype=np.int64)
    first = 0
    for k in range(n_classes):
        members = rng.permutation(np.flatnonzero(codes == k))
        folds[members] = (first + np.arange(len(members))) % N_FOLDS
        first += len(members)
    return folds


def _spread(scores: Floats, weights: Floats) -> float:
    mean = np.average(scores, weights=weights)
    return float(np.sqrt(np.average((scores - mean) ** 2, weights=weights)))
