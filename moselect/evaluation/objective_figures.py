"""Objectives of predictions with their standard errors."""

import math
from collections.abc import Sequence

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from moselect._types import Floats, Integers, Labels, Table
from moselect.costs.losses import confusion_of
from moselect.costs.priced import Priced, objective_costs
from moselect.inference.prediction_inference import welch_degrees
from moselect.inference.standard_errors import (
    UPPER_LEVEL,
    cost_errors,
    standard_errors,
    student_ratio,
    typical_weights,
    variance_of_models,
)
from moselect.metrics.class_pairs import weights_of_pairs
from moselect.metrics.objective import Objective
from moselect.models.learner import Predictions
from moselect.models.objective_values import value_of_model
from moselect.samples.samples import Samples
from moselect.validation import ratios_or_zero


def objective_figures(
    objectives: Sequence[Objective],
    samples: Samples,
    predictions: Predictions,
    folds: Integers | None = None,
) -> tuple[Floats, Floats]:
    """Measure objectives (m,) of predictions, with their standard errors (m,).

    Standard errors of objectives that are measured but not optimised are NaN, as are values
    of scorers for predictions without probabilities.
    """
    values, errors = np.full((2, len(objectives)), np.nan)
    for j, objective in enumerate(objectives):
        if not objective.measured:
            costs = objective_costs(objective, samples.class_weights)
            error, influence = costs.loss.estimate(
                costs.cells, samples, predictions.codes, predictions.scores, folds
            )
            values[j] = 1.0 - error
            errors[j] = _objective_error(costs, samples, values[j], influence, folds)
        if objective.measure is not None:
            values[j] = objective.measure(
                confusion_of(samples, predictions.codes, samples.n_classes)
            )
        elif objective.measured and (
            objective.of_labels or predictions.proba is not None
        ):
            model = _Predicted(predictions, samples.classes)
            true = samples.classes[samples.codes]
            values[j] = value_of_model(objective, model, samples.X, true, samples.weights)
    return values, errors


class _Predicted(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classifier for scorers that returns given predictions and ignores the features."""

    def __init__(self, predictions: Predictions, classes: Labels) -> None:
        self.predictions = predictions
        self.classes_ = classes

    def predict(self, X: Table) -> Labels:
        return self.classes_[self.predictions.codes]

    def decision_function(self, X: Table) -> Floats:
        return self.predictions.scores

    def predict_proba(self, X: Table) -> Floats | None:
        return self.predictions.proba


def _objective_error(
    costs: Priced,
    samples: Samples,
    value: float,
    influence: Floats,
    folds: Integers | None,
) -> float:
    """Compute the standard error of an objective, with one further mistake.

    The mistake is by one class. Decisions are optimised for costs, not for the objective,
    so it varies with thresholds that differ between the fold models. The deviation of
    folds from a mean ranking is among the influences.
    """
    clusters = samples.sum_by_cluster(influence)
    ranking = costs.loss.ranking
    if ranking.any():
        one_more = _one_misranked(ranking, samples, value)
        # A class of few samples has most of the variance, which is poorly estimated.
        draws = ratios_or_zero(samples.class_weights, typical_weights(samples))
        draws = draws[draws > 0.0]
        degrees = welch_degrees(1.0 / draws, draws)
        clusters *= student_ratio(degrees + 1.0, UPPER_LEVEL)
        return float(cost_errors(clusters, one_more, samples))
    neighbours = np.eye(samples.n_classes, k=1) + np.eye(samples.n_classes, k=-1)
    weights = samples.sample_weight_or_ones
    mistakes = np.nan_to_num(costs.in_use * neighbours).max(axis=1)
    one_more = costs.of_one_row(samples, mistakes * typical_weights(samples))
    error = float(cost_errors(clusters, one_more, samples))
    if folds is None:
        return error
    sizes = np.bincount(folds, weights)
    of_folds = (np.bincount(folds, weights * influence) / sizes)[sizes > 0.0]
    of_models = variance_of_models(of_folds, standard_errors(clusters) ** 2)
    return math.hypot(error, math.sqrt(of_models))


def _one_misranked(ranking: Floats, samples: Samples, utility: float) -> float:
    """Compute the change of the weighted ranking measures by half a further misranked sample.

    The sample, of the typical weight of its class, is ranked beyond a neighbour class: its
    pairs with that are lost, and the right chains of VUS through it.
    """
    r = samples.n_classes
    masses = np.asarray(samples.class_weights, float)
    typical = typical_weights(samples)
    share = ratios_or_zero(typical, masses)
    pairs = np.diagonal(weights_of_pairs(ranking, masses), -1) * masses[1:] * masses[:-1]
    lost = (pairs * np.maximum(share[1:], share[:-1])).max()
    rarest = share.max()
    # Beyond one of its r - 1 neighbours; of many classes hardly any chain is right.
    chains = ranking[0] * max(utility, 1.0 / (r - 1)) * rarest
    # over n: standard deviation of Jeffreys' posterior of an error rate with no error in n
    # samples
    jeffreys_error = math.sqrt(0.5)
    return jeffreys_error * (lost + chains)
