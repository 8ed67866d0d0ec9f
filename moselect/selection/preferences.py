"""Preferences: weights of objectives, and the decision loss that they make."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from moselect._types import Integers
from moselect.metrics.objective import Objective
from moselect.metrics.objectives import RANKING_OBJECTIVES
from moselect.models.objective_values import DEFAULT
from moselect.selection.decision_loss import DecisionLoss, objective_goals


def preference_weights(
    preferences: Mapping[str, Any] | None, objectives: Sequence[Objective]
) -> dict[str, float]:
    """Normalise preferences to weights, of sum 1, of all objectives that can be optimised."""
    names = [objective.name for objective in objectives if not objective.measured]
    if preferences is None:
        return dict.fromkeys(names, 1.0 / max(1, len(names)))
    if not isinstance(preferences, Mapping):
        raise TypeError(
            f"preferences is {preferences!r}: give weights of objectives, such as {{'vus': 2.0}}"
        )
    for name, weight in preferences.items():
        if name not in names:
            measured = name in [objective.name for objective in objectives]
            why = "is measured only" if measured else "was not searched"
            raise ValueError(
                f"objective {name!r} {why}: choose from {', '.join(names) or 'costs and metrics'}"
            )
        if not isinstance(weight, Real) or not 0.0 <= float(weight) < math.inf:
            raise ValueError(
                f"the weight of {name!r} is {weight!r}: give a number of at least 0"
            )
    total = float(sum(preferences.values()))
    if total == 0.0:
        raise ValueError(
            "all preferences are 0: give at least one objective a weight above 0"
        )
    return {name: float(preferences.get(name, 0.0)) / total for name in names}


def preference_goal(
    weights: Mapping[str, float],
    gains: Mapping[str, float],
    objectives: Sequence[Objective],
    class_counts: Integers,
) -> DecisionLoss:
    """Build the decision loss of preferences: weighted gains, in units of the best gain."""
    unit_weights = {
        name: weights.get(name, 0.0) / gains[name] for name in gains if gains[name] > 0.0
    }
    r = len(class_counts)
    costs = np.zeros((r, r))
    ranking = np.zeros(len(RANKING_OBJECTIVES))
    for objective in objectives:
        weight = unit_weights.get(objective.name, 0.0)
        for goal in objective_goals([objective], class_counts):
            costs += weight * goal.costs
            ranking += weight * goal.ranking
    if not costs.any():
        # If a preference ignores predicted classes, a small weight of plain errors
        # determines them.
        tie_break = 1e-6
        costs += tie_break * sum(
            goal.costs for goal in objective_goals(DEFAULT[:2], class_counts)
        )
    return DecisionLoss(costs, ranking)
