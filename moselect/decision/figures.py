"""All six objectives of a rule, and how sure they are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from moselect._types import Floats, Integers
from moselect.decision.differences import standard_errors
from moselect.decision.goal import objective_goals


class Figures(NamedTuple):
    """Accuracy, 1 - MAE, VUS, U_cons, U_ovo and U_pairs of one rule."""

    values: Floats  # (6,)
    standard_errors: Floats  # (6,)


def rule_figures(
    codes: Integers,
    predicted: Integers,
    scores: Floats,
    n_classes: int,
    folds: Integers | None = None,
) -> Figures:
    """Measure all objectives of a rule with its standard errors."""
    w = np.ones(len(codes))
    losses, influences = zip(
        *(goal.losses(codes, predicted, scores, w, folds) for goal in objective_goals(n_classes)),
        strict=True,
    )
    return Figures(1.0 - np.array(losses), standard_errors(np.array(influences)))
