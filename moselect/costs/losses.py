"""Losses of decisions: their cost and a ranking loss, or a metric."""

import math
from collections.abc import Mapping

import numpy as np

from moselect._types import Array, Floats, Integers, Number
from moselect.costs.decisions import costs_at, least_expected_cost
from moselect.costs.thresholds import metric_thresholds
from moselect.inference.cross_validated_ranking import cross_validated_utility
from moselect.metrics.decision_metrics import DecisionMetric, count_cells
from moselect.metrics.metric_names import metric_label
from moselect.samples.samples import Samples

NO_RANKING = np.zeros(4)
NO_RANKING.flags.writeable = False


class CostLoss:
    """Mean cost of decisions and a weighted ranking loss; the loss that the others extend.

    loss = mean C[y, predicted] + sum_m ranking_m (1 - measure_m)

    Attributes
    ----------
    name, label : str
        Name of the reported value, in tables and in sentences.
    words : str
        Description of the reported value in a sentence.
    heading, gained : str
        Heads of the columns of values and of differences, with their intervals.
    by_cost : bool
        Whether candidates are compared by their mean cost, with relative differences.
    lower_is_better : bool
        Direction of the reported value.
    least : float
        Least possible value.
    ranking : ndarray of shape (4,)
        Weights of VUS, U_cons, U_ovo and U_pairs, 0 upwards; by default 0.
    metric : DecisionMetric or None
        Metric that is measured in place of the mean cost.
    preferences : mapping of str to float, or None
        Weights of the objectives, if selection is by preferences.
    """

    name: str = "cost"
    label: str = "cost"
    heading: str = "mean cost (95 %)"
    words: str = "mean cost per case"
    gained: str = "saved (95 %)"
    by_cost: bool = True
    lower_is_better: bool = True
    least: float = 0.0
    metric: DecisionMetric | None = None
    preferences: Mapping[str, float] | None = None

    def __init__(self, ranking: Floats = NO_RANKING) -> None:
        self.ranking = ranking

    def value(self, loss: Number) -> Number:
        """Convert losses to reported values: cost, metric, or gain above chance."""
        return loss

    def estimate(
        self,
        costs: Floats,
        samples: Samples,
        predicted: Integers,
        scores: Floats | None = None,
        folds: Integers | None = None,
    ) -> tuple[float, Floats]:
        """Compute the loss of predictions and the influence (n,) of each sample on it.

        With the fold of each sample (n,), a ranking is measured within folds, as scores of
        fold models are not comparable; without scores it is random.
        """
        weights = samples.sample_weight_or_ones
        row_costs = costs_at(costs, samples.codes, predicted)
        cost = weights @ row_costs / weights.sum()
        influence = row_costs - cost
        if not self.ranking.any():
            return cost, influence
        if scores is None:
            return cost + self._random_ranking(samples.n_classes), influence
        utility, components = cross_validated_utility(
            self.ranking, samples, scores, folds
        )
        return cost + self.ranking.sum() - utility, influence - components

    def of_constant(self, costs: Floats, class_weights: Array) -> float:
        """Compute the loss without features: cheapest constant class, random ranking."""
        cost = float((class_weights @ costs).min() / np.sum(class_weights))
        if not self.ranking.any():
            return cost
        return cost + self._random_ranking(len(costs))

    def _random_ranking(self, n_classes: int) -> float:
        chance = np.array([1.0 / math.factorial(n_classes), 0.5, 0.5, 0.5])
        return float(self.ranking @ (1.0 - chance))

    def solve(self, costs: Floats, samples: Samples, proba: Floats | None) -> Floats:
        """Return costs whose decisions by out-of-fold ``proba`` (n, r) have least loss."""
        return costs

    def solve_for_scores(
        self, costs: Floats, codes: Integers, scores: Floats, weights: Floats
    ) -> Floats:
        """Return costs whose thresholds along scores (n,) have least loss."""
        return costs

    def linearised(self, costs: Floats, samples: Samples, predicted: Integers) -> Floats:
        """Linearise the loss at the predictions, (r, a) by class and decision of a sample."""
        return costs


class PreferenceLoss(CostLoss):
    """Cost and ranking loss of preferences, reported as the gain over the loss without features.

    The gain is weighted, in units of the front's greatest training gain in each objective.
    """

    name = label = "utility"
    heading = "gain (95 %)"
    words = "weighted gain"
    gained = "gained (95 %)"
    by_cost = False
    lower_is_better = False
    least = -math.inf

    def __init__(
        self, ranking: Floats, preferences: Mapping[str, float], chance: float
    ) -> None:
        super().__init__(ranking)
        self.preferences = preferences
        self.chance = chance

    def value(self, loss: Number) -> Number:
        """Convert losses to gains above chance."""
        return self.chance - loss


class MetricLoss(CostLoss):
    """Loss of a metric of predicted classes; the costs are its linearisation."""

    metric: DecisionMetric
    gained = "gained (95 %)"
    by_cost = False
    least = -math.inf

    def __init__(self, metric: DecisionMetric) -> None:
        super().__init__()
        self.metric = metric
        self.name = metric.name
        self.label = self.words = metric_label(metric.name)
        self.heading = f"{self.label} (95 %)"
        self.lower_is_better = metric.is_error

    def value(self, loss: Number) -> Number:
        """Convert losses to values of the metric."""
        return self.metric.value(loss)

    def estimate(
        self,
        costs: Floats,
        samples: Samples,
        predicted: Integers,
        scores: Floats | None = None,
        folds: Integers | None = None,
    ) -> tuple[float, Floats]:
        """Compute the loss of predictions and the influence (n,) of each sample on it."""
        return self.metric.losses(samples.codes, predicted, samples.sample_weight_or_ones)

    def of_constant(self, costs: Floats, class_weights: Array) -> float:
        """Compute the loss without features: the best constant class."""
        return self.metric.chance_loss(class_weights)

    def solve(self, costs: Floats, samples: Samples, proba: Floats | None) -> Floats:
        """Return costs whose decisions by out-of-fold ``proba`` (n, r) optimise the metric."""
        if proba is None:
            return costs

        def confusions_at(tried: Floats) -> Floats:
            predicted = least_expected_cost(proba, tried)
            return confusion_of(samples, predicted, samples.n_classes)

        masses = np.asarray(samples.class_weights, float)
        return self.metric.solve(confusions_at, masses).costs

    def solve_for_scores(
        self, costs: Floats, codes: Integers, scores: Floats, weights: Floats
    ) -> Floats:
        """Return costs whose thresholds along scores (n,) optimise the metric."""
        masses = np.eye(costs.shape[-2])[codes] * weights[:, None]
        return metric_thresholds(self.metric, scores, masses)[1].costs

    def linearised(self, costs: Floats, samples: Samples, predicted: Integers) -> Floats:
        """Linearise the loss at the predictions, (r, r) by class and decision of a sample."""
        return self.metric.influences(confusion_of(samples, predicted, len(costs)))


def confusion_of(samples: Samples, predicted: Integers, n_answers: int) -> Floats:
    """Compute the (weighted) confusion matrix: true classes by answers."""
    r = samples.n_classes
    return count_cells(samples.codes, predicted, samples.weights, r, max(r, n_answers))
