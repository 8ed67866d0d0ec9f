"""Losses of decisions: their cost, their cost plus a ranking loss, or a metric."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from moselect._types import Floats, Integers
from moselect.costs.decisions import costs_at, least_expected_cost
from moselect.costs.thresholds import metric_thresholds
from moselect.inference.cross_validated_ranking import cross_validated_utility
from moselect.metrics.decision_metrics import DecisionMetric, count_cells
from moselect.samples.samples import Samples

NO_RANKING = np.zeros(4)
NO_RANKING.flags.writeable = False


class CostLoss:
    """Mean cost of decisions, and the loss that the two others extend.

    Attributes
    ----------
    ranking : ndarray of shape (4,)
        Weights of VUS, U_cons, U_ovo and U_pairs, 0 upwards.
    metric : DecisionMetric or None
        Metric that is measured in place of the mean cost.
    preferences : mapping of str to float, or None
        Weights of the objectives, if selection is by preferences.
    by_cost : bool
        Whether candidates are compared by their mean cost, not by a metric or utility.
    """

    ranking: Floats = NO_RANKING
    metric: DecisionMetric | None = None
    preferences: Mapping[str, float] | None = None
    by_cost: bool = True

    def estimate(
        self,
        costs: Floats,
        samples: Samples,
        predicted: Integers,
        scores: Floats,
        folds: Integers | None = None,
    ) -> tuple[float, Floats]:
        """Compute the loss of predictions and the influence (n,) of each sample on it.

        With the fold of each sample (n,), a ranking is measured within folds, as scores of
        fold models are not comparable.
        """
        weights = samples.sample_weight_or_ones
        row_costs = costs_at(costs, samples.codes, predicted)
        mean = weights @ row_costs / weights.sum()
        return mean, row_costs - mean

    def of_constant(self, costs: Floats, samples: Samples) -> float:
        """Compute the loss without features: cheapest constant class, random ranking."""
        weights = samples.sample_weight_or_ones
        return (weights @ costs_at(costs, samples.codes)).min() / weights.sum()

    def solve(self, costs: Floats, samples: Samples, proba: Floats | None) -> Floats:
        """Return costs whose decisions by out-of-fold ``proba`` (n, r) have least loss."""
        return costs

    def solve_for_scores(
        self, costs: Floats, codes: Integers, scores: Floats, weights: Floats
    ) -> Floats:
        """Return costs whose thresholds along scores (n,) have least loss."""
        return costs


class RankingLoss(CostLoss):
    """Mean cost plus a weighted ranking loss; preferences combine both.

    loss = mean C[y, predicted] + sum_m ranking_m (1 - measure_m)
    """

    def __init__(
        self, ranking: Floats, preferences: Mapping[str, float] | None = None
    ) -> None:
        self.ranking = ranking
        self.preferences = preferences
        self.by_cost = preferences is None

    def estimate(
        self,
        costs: Floats,
        samples: Samples,
        predicted: Integers,
        scores: Floats,
        folds: Integers | None = None,
    ) -> tuple[float, Floats]:
        """Compute the loss of predictions and the influence (n,) of each sample on it."""
        cost, influence = super().estimate(costs, samples, predicted, scores)
        if not self.ranking.any():
            return cost, influence
        utility, components = cross_validated_utility(
            self.ranking, samples, scores, folds
        )
        return cost + self.ranking.sum() - utility, influence - components

    def of_constant(self, costs: Floats, samples: Samples) -> float:
        """Compute the loss without features: cheapest constant class, random ranking."""
        chance = np.array([1.0 / math.factorial(costs.shape[-2]), 0.5, 0.5, 0.5])
        cost = super().of_constant(costs, samples)
        return cost + float(self.ranking @ (1.0 - chance))


class MetricLoss(CostLoss):
    """Loss of a metric of predicted classes; the costs are its linearisation."""

    metric: DecisionMetric
    by_cost = False

    def __init__(self, metric: DecisionMetric) -> None:
        self.metric = metric

    def estimate(
        self,
        costs: Floats,
        samples: Samples,
        predicted: Integers,
        scores: Floats,
        folds: Integers | None = None,
    ) -> tuple[float, Floats]:
        """Compute the loss of predictions and the influence (n,) of each sample on it."""
        return self.metric.losses(samples.codes, predicted, samples.sample_weight_or_ones)

    def of_constant(self, costs: Floats, samples: Samples) -> float:
        """Compute the loss without features: the best constant class."""
        return self.metric.chance_loss(samples.class_weights)

    def solve(self, costs: Floats, samples: Samples, proba: Floats | None) -> Floats:
        """Return costs whose decisions by out-of-fold ``proba`` (n, r) optimise the metric."""
        if proba is None:
            return costs

        def confusions_at(tried: Floats) -> Floats:
            predicted = least_expected_cost(proba, tried)
            return confusion_of(samples, predicted, samples.n_classes)

        masses = np.asarray(samples.class_weights, np.float64)
        return self.metric.solve(confusions_at, masses).costs

    def solve_for_scores(
        self, costs: Floats, codes: Integers, scores: Floats, weights: Floats
    ) -> Floats:
        """Return costs whose thresholds along scores (n,) optimise the metric."""
        masses = np.eye(costs.shape[-2])[codes] * weights[:, None]
        return metric_thresholds(self.metric, scores, masses)[1].costs


def confusion_of(samples: Samples, predicted: Integers, n_answers: int) -> Floats:
    """Compute the (weighted) confusion matrix: true classes by answers."""
    r = samples.n_classes
    return count_cells(samples.codes, predicted, samples.weights, r, max(r, n_answers))
