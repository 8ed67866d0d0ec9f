"""All six objectives of a rule, and how sure they are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from moselect._types import Floats, Integers
from moselect.decision.differences import standard_errors
from moselect.decision.goal import objective_goals


class Figures(NamedTuple):
    """Accuracy, 1 - MAE, VUS, U_cons, U_ovo and U_pairs of one rule.

    Examples
    --------
    >>> codes, scores = np.array([0, 0, 1, 1]), np.array([0.0, 2.0, 1.0, 3.0])
    >>> figures = rule_figures(codes, np.array([0, 0, 0, 1]), scores, 2)
    >>> figures.values[:2], figures.standard_errors[:2]
    (array([0.75, 0.75]), array([0.25, 0.25]))
    """

    values: Floats  # (6,)
    standard_errors: Floats  # (6,)
    influences: Floats  # (6, n), for paired differences


def rule_figures(
    codes: Integers,
    predicted: Integers,
    scores: Floats,
    n_classes: int,
    folds: Integers | None = None,
) -> Figures:
    """Measure all objectives of a rule with the influence of every sample on them.

    Parameters
    ----------
    codes, predicted : ndarray of shape (n,)
        True and predicted class codes 0 .. r - 1; every class has samples.
    scores : ndarray of shape (n,)
        Scores; higher means a higher class.
    n_classes : int
        r.
    folds : ndarray of shape (n,), optional
        Fold of each sample, if it was scored by a rule fitted without its fold.

    Returns
    -------
    Figures
        For the ranking measures the sizes of the classes are taken as given.

    Examples
    --------
    >>> codes = np.array([0, 0, 1, 1])
    >>> figures = rule_figures(codes, np.array([0, 0, 0, 1]), np.array([0.0, 2.0, 1.0, 3.0]), 2)
    >>> figures.values
    array([0.75, 0.75, 0.75, 0.75, 0.75, 0.75])
    """
    w = np.ones(len(codes))
    losses, influences = zip(
        *(goal.losses(codes, predicted, scores, w, folds) for goal in objective_goals(n_classes)),
        strict=True,
    )
    shown = -np.array(influences)
    return Figures(1.0 - np.array(losses), standard_errors(shown), shown)
