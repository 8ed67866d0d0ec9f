"""What a rule is to be good at: cheap predicted classes, a good ranking, or a mixture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from moselect._kernels.components import ranking_components
from moselect._types import Floats, Integers
from moselect.decision.linear.thresholds import cheapest_cuts
from moselect.metrics.objectives import RANKING_OBJECTIVES, Objective


@dataclass(frozen=True, eq=False)
class Goal:
    """The loss of a rule: mean cost of its classes, and what its ranking falls short of 1.

    loss = mean C[y, predicted] + sum_m ranking_m (1 - measure_m), with the measures VUS, U_cons,
    U_ovo and U_pairs. A cost matrix is a goal without ranking; a preference mixes both.

    Attributes
    ----------
    costs : ndarray of shape (r, r)
        Cost of predicting each class (columns) for each true class (rows).
    ranking : ndarray of shape (4,)
        Weights of VUS, U_cons, U_ovo and U_pairs, 0 upwards.
    """

    costs: Floats
    ranking: Floats = field(default_factory=lambda: np.zeros(4))

    def chance_loss(self, codes: Integers, weights: Floats) -> float:
        """Return the loss of what needs no features: the cheapest class, a random ranking."""
        label = float((weights @ self.costs[codes]).min() / weights.sum())
        chance = np.array([1.0 / math.factorial(len(self.costs)), 0.5, 0.5, 0.5])
        return label + float(self.ranking @ (1.0 - chance))

    def losses(
        self,
        codes: Integers,
        predicted: Integers,
        scores: Floats,
        weights: Floats,
        folds: Integers | None = None,
    ) -> tuple[float, Floats]:
        """Return the loss of a rule and the influence (n,) of each sample on it.

        The standard error of the loss is that of the weighted mean of the influences, and the
        standard error of a difference is that of their differences. With the fold of each sample
        (n,), a ranking is measured within folds only: scores of different rules do not compare.
        """
        total = weights.sum()
        paid = self.costs[codes, predicted]
        label = float(weights @ paid) / total
        influence = paid - label
        if not self.ranking.any():
            return label, influence
        ranking, components = _worth_in_folds(
            self.ranking, codes, len(self.costs), scores, weights, folds
        )
        return label + float(self.ranking.sum()) - ranking, influence - components

    def least_loss(self, codes: Integers, scores: Floats, weights: Floats) -> float:
        """Return the loss along some scores with the thresholds that are cheapest on them."""
        loss = 0.0
        if self.costs.any():
            paid = self.costs[codes] * weights[:, None]
            loss = cheapest_cuts(scores, paid)[1] / float(weights.sum())
        if self.ranking.any():
            worth, _ = ranking_worth(self.ranking, codes, len(self.costs), scores, weights)
            loss += float(self.ranking.sum()) - worth
        return loss


def objective_goals(objectives: Sequence[Objective], class_counts: Integers) -> list[Goal]:
    """Return one goal for each objective that is not only measured."""
    nothing = np.zeros((len(class_counts), len(class_counts)))
    of_ranking = dict(zip(RANKING_OBJECTIVES, np.eye(4), strict=True))
    return [
        Goal(nothing, of_ranking[one.name]) if one.costs is None else Goal(one.costs(class_counts))
        for one in objectives
        if not one.measured
    ]


def pair_worths(ranking: Floats, masses: Floats) -> Floats:
    """Return what a right pair of class l above class k is worth, (r, r), in its lower triangle.

    Waegeman et al. (2008), eq. 16-18; ``ranking`` (4,) as in `Goal`, ``masses`` (r,) the total
    weight of each class. Pairs with a class without samples are worth nothing.
    """
    r = len(masses)
    worths = np.zeros((r, r))
    below = np.cumsum(masses)
    all_pairs = (below[-1] ** 2 - masses @ masses) / 2.0
    cuts = below[:-1] * (below[-1] - below[:-1])
    per_cut = np.divide(1.0, cuts, out=np.zeros(r - 1), where=cuts > 0.0)
    separated = np.concatenate([[0.0], np.cumsum(per_cut)])
    for upper in range(1, r):
        for lower in range(upper):
            possible = masses[upper] * masses[lower]
            if possible > 0.0:
                worths[upper, lower] = (
                    ranking[1] * (separated[upper] - separated[lower]) / (r - 1)
                    + ranking[2] * 2.0 / (r * (r - 1) * possible)
                    + ranking[3] / all_pairs
                )
    return worths


def ranking_worth(
    ranking: Floats, codes: Integers, n_classes: int, scores: Floats, weights: Floats
) -> tuple[float, Floats]:
    """Return the worth of a ranking, and the influence (n,) of each sample on it.

    Class sizes are taken as given: the influences of the samples of each class have mean 0.
    """
    r = n_classes
    masses = np.bincount(codes, weights, minlength=r).astype(np.float64)
    components = np.empty(len(codes))
    order = np.lexsort((-codes, scores))
    worths = pair_worths(ranking, masses)
    vus, pairs = ranking_components(order, codes, weights, worths, float(ranking[0]), components)
    means = np.bincount(codes, weights * components, minlength=r)
    means = np.divide(means, masses, out=np.zeros(r), where=masses > 0.0)
    return float(ranking[0] * vus + pairs), weights.sum() * (components - means[codes])


def _worth_in_folds(
    ranking: Floats,
    codes: Integers,
    n_classes: int,
    scores: Floats,
    weights: Floats,
    folds: Integers | None,
) -> tuple[float, Floats]:
    """Return the mean worth of the rankings of the folds that have every class; NaN if none has."""
    if folds is None:
        return ranking_worth(ranking, codes, n_classes, scores, weights)
    parts = [np.flatnonzero(folds == fold) for fold in np.unique(folds)]
    parts = [rows for rows in parts if len(np.unique(codes[rows])) == n_classes]
    total = sum(weights[rows].sum() for rows in parts)
    worth, components = 0.0 if parts else math.nan, np.zeros(len(codes))
    for rows in parts:
        own, influence = ranking_worth(ranking, codes[rows], n_classes, scores[rows], weights[rows])
        worth += own * weights[rows].sum() / total
        components[rows] = influence * weights.sum() / total
    return worth, components
