"""What objectives are worth to the user."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from moselect.decision.goal import Goal

LABELS = ("accuracy", "one_minus_mae")
RANKINGS = ("vus", "u_cons", "u_ovo", "u_pairs")
# Where a preference does not look at predicted classes, they are those of least error.
TIE_BREAK = 1e-6


def preference_weights(
    preferences: Mapping[str, Any] | None, objectives: Sequence[str]
) -> dict[str, float]:
    """Return the weight of every objective, of sum 1."""
    if preferences is None:
        return dict.fromkeys(objectives, 1.0 / len(objectives))
    if not isinstance(preferences, Mapping):
        raise TypeError(
            f"preferences is {preferences!r}: give weights of objectives, such as {{'vus': 2.0}}"
        )
    for name, weight in preferences.items():
        if name not in LABELS + RANKINGS:
            known = ", ".join(objectives)
            raise ValueError(f"unknown objective {name!r} in the preferences: choose from {known}")
        if name not in objectives:
            raise ValueError(
                f"objective {name!r} was not searched: choose from {', '.join(objectives)}"
            )
        if not isinstance(weight, Real) or not 0.0 <= float(weight) < math.inf:
            raise ValueError(f"the weight of {name!r} is {weight!r}: give a number of at least 0")
    total = float(sum(preferences.values()))
    if total == 0.0:
        raise ValueError("all preferences are 0: give at least one objective a weight above 0")
    return {name: float(preferences.get(name, 0.0)) / total for name in objectives}


def preference_goal(
    weights: Mapping[str, float], gains: Mapping[str, float], n_classes: int
) -> Goal:
    """Return the goal of a preference: weighted gains above chance, in units of the best gain."""
    ranks = np.arange(n_classes)
    deviation = np.abs(np.subtract.outer(ranks, ranks)).astype(np.float64)
    zero_one = (deviation > 0.0).astype(np.float64)
    worth = {name: weights.get(name, 0.0) / gains[name] for name in gains if gains[name] > 0.0}
    by_error, by_deviation = (worth.get(name, 0.0) for name in LABELS)
    if by_error == by_deviation == 0.0:
        by_error = by_deviation = TIE_BREAK
    return Goal(
        by_error * zero_one + by_deviation * deviation,
        np.array([worth.get(name, 0.0) for name in RANKINGS]),
    )
