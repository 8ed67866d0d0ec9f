"""The objectives of a rule, and how sure they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from sklearn.metrics import confusion_matrix

from moselect._types import Floats, Integers
from moselect.decision.differences import standard_errors
from moselect.decision.goal import objective_goals
from moselect.decision.kind_fits import Responses
from moselect.metrics.objectives import Objective
from moselect.samples import Samples


class Figures(NamedTuple):
    """The m objectives of one rule."""

    values: Floats  # (m,)
    standard_errors: Floats  # (m,), NaN for those that are only measured


def rule_figures(
    objectives: Sequence[Objective],
    samples: Samples,
    told: Responses,
    folds: Integers | None = None,
) -> Figures:
    """Measure objectives of a rule with their standard errors.

    Measured objectives that need a model, and not only the confusion matrix, are NaN.
    """
    n, r = len(samples), samples.n_classes
    values, influences = np.full(len(objectives), np.nan), np.full((len(objectives), n), np.nan)
    for j, objective in enumerate(objectives):
        for goal in objective_goals([objective], samples.class_counts):
            loss, influence = goal.losses(samples.codes, told.codes, told.scores, np.ones(n), folds)
            values[j], influences[j] = 1.0 - loss, influence
        if objective.measure is not None:
            confusion = confusion_matrix(samples.codes, told.codes, labels=range(r))
            values[j] = objective.measure(confusion)
    return Figures(values, standard_errors(influences))
