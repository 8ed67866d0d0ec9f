"""How good the classes and scores of a rule are, in every objective, with standard errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.metrics import confusion_matrix

from moselect._types import Floats, Integers
from moselect.decision.differences import standard_errors
from moselect.decision.goal import objective_goals
from moselect.learning import Responses
from moselect.metrics.objectives import Objective
from moselect.samples import Samples


def rule_figures(
    objectives: Sequence[Objective],
    samples: Samples,
    told: Responses,
    folds: Integers | None = None,
) -> tuple[Floats, Floats]:
    """Measure objectives (m,) of a rule, with their standard errors (m,).

    Measured objectives that need a model, and not only the confusion matrix, are NaN, as
    are the errors of all that are only measured.
    """
    codes, weights = samples.codes, samples.each_weight
    values, influences = np.full(len(objectives), np.nan), []
    for j, objective in enumerate(objectives):
        influence = np.full(len(samples), np.nan)
        for goal in objective_goals([objective], samples.class_weights):
            loss, influence = goal.losses(codes, told.codes, told.scores, weights, folds)
            values[j] = 1.0 - loss
        influences.append(influence)
        if objective.measure is not None:
            values[j] = objective.measure(
                confusion_of(samples, told.codes, samples.n_classes)
            )
    return values, standard_errors(samples.of_units(np.array(influences)))


def confusion_of(samples: Samples, predicted: Integers, n_answers: int) -> Any:
    """Return the samples of each class (rows) that get each answer (columns), or their weights."""
    labels, weights = range(max(samples.n_classes, n_answers)), samples.weights
    table = confusion_matrix(
        samples.codes, predicted, labels=labels, sample_weight=weights
    )
    return table[: samples.n_classes]
