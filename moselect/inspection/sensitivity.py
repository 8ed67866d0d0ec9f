"""Sensitivity of a selection: to limits, to times, and to known directions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from moselect._types import Floats
from moselect.budgets import INSPECTION
from moselect.candidates.candidates import CandidateFits
from moselect.candidates.names import PROPORTIONAL_ODDS
from moselect.candidates.splits import Splits
from moselect.costs.decision_loss import DecisionLoss
from moselect.evaluation.differences import PairedDifference
from moselect.evaluation.evaluations import Evaluations
from moselect.inference.standard_errors import jackknife_errors
from moselect.inspection.explanation import effects_by_model
from moselect.models.learner import FitError
from moselect.predictor import Model
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.tables.cells import as_frame

SINGLE_SCORE = ("scorecard", "linear", "additive", PROPORTIONAL_ODDS)


def evaluate(
    fits: CandidateFits,
    names: Iterable[str],
    criteria: DecisionLoss,
    like: Splits | None = None,
) -> Evaluations:
    """Evaluate some candidates of a table; FitError if one cannot be fitted.

    ``like`` has the blocks of rows of an evaluation on the same folds, for paired differences.
    """
    known = {name: fits(name, criteria.of_classes) for name in names}
    splits = Splits.of(fits.samples, fits.folds)
    if like is not None:
        splits = splits._replace(cv=like.cv)
    return Evaluations.of(known, criteria, splits)


def value_without_limits(evaluated: Evaluations, selected: str) -> float | None:
    """Return the value of the selected candidate without its limits; None if it has none."""
    if not evaluated.criteria.limits:
        return None
    criteria = replace(evaluated.criteria, limits=())
    fits = {selected: evaluated[selected].fit}
    other = Evaluations.of(fits, criteria, evaluated.splits)
    return float(evaluated.value_of(other[selected].figure()[0]))


class Latest(NamedTuple):
    """Value of a candidate on the latest rows: the holdout, or else the last fold.

    It ``differs`` if it is further than two standard errors from that of the earlier rows, or if
    rows depend on each other for so long that the holdout alone is near to what follows.

    Examples
    --------
    >>> Latest(value=1.25, std_error=0.06, differs=True).differs
    True
    """

    value: float
    std_error: float
    differs: bool


def value_on_latest(evaluated: Evaluations, selected: str) -> Latest | None:
    """Evaluate the selected candidate on the latest rows, compared with the earlier ones.

    None if it is undefined there, as a ranking without some class.
    """
    latest, earlier = (part.figure() for part in evaluated[selected].by_time())
    if math.isnan(latest[0] + earlier[0]):
        return None
    difference = abs(latest[0] - earlier[0])
    min_z = 2.0  # standard errors
    differs = difference > min_z * math.hypot(latest[1], earlier[1])
    value = evaluated.value_of(latest[0])
    return Latest(value, latest[1], differs or evaluated.splits.has_drift)


def cost_of_directions(
    evaluated: Evaluations,
    selected: str,
    fits: CandidateFits,
    unconstrained: CandidateFits | None,
) -> tuple[ConstraintCost | None, dict[str, int]]:
    """Return the cost of the known directions, and directions that the data suggest.

    Parameters
    ----------
    evaluated : Evaluations
        Candidates that keep the directions.
    selected : str
        The selected candidate. An ensemble has no single score, and the additive model is
        compared in its place.
    fits, unconstrained : CandidateFits
        Fits of the same table and folds, with and without directions, if there are any.
    """
    if unconstrained is None:
        return None, {}
    criteria = evaluated.criteria
    name = selected if selected in SINGLE_SCORE else "additive"
    with suppress(FitError):  # a candidate cannot be fitted: nothing to compare
        fold_models = unconstrained.fold_models("additive", criteria.of_classes)
        free = evaluate(unconstrained, {name, "additive"}, criteria, evaluated.splits)
        if name not in evaluated:
            evaluated = evaluate(fits, [name], criteria, evaluated.splits)
        difference = evaluated.excess_over(free, name)
        cost = None if difference is None else ConstraintCost(name, difference)
        return cost, suggested_directions(fold_models, fits.samples, fits.folds)
    return None, {}


class ConstraintCost(NamedTuple):
    """Cross-validated excess cost, or lost utility, of a candidate that keeps directions.

    ``difference`` is paired by sample with the same ``candidate`` without directions, and
    relative to it for costs.

    Examples
    --------
    >>> excess = PairedDifference(0.01, 0.02, -0.03, 0.05)
    >>> ConstraintCost("linear", excess).difference.estimate
    0.01
    """

    candidate: str
    difference: PairedDifference


def suggested_directions(
    fold_models: Sequence[Model], samples: Samples, folds: Folds
) -> dict[str, int]:
    """Return columns without a known direction whose effect goes one way, and which.

    Accumulated local effects of an additive model on the expected rank: the net change
    from the lowest to the highest value is at least 90 % of all ups and downs in each fold
    model, and three standard errors (the jackknife over the folds) from 0.
    """
    undirected = [
        str(name) for name in as_frame(samples.X) if name not in samples.directions
    ]
    ordered = [
        name
        for name in undirected[: INSPECTION.direction_columns]
        if samples.content_of(name).content_type != "levels"
    ]
    training_rows = [train for train, _ in folds]
    directions = {
        name: _direction(np.array([each.sum(axis=1) for each in by_model]))
        for name, _, by_model in effects_by_model(
            fold_models, samples, training_rows, ordered
        )
    }
    return {name: sign for name, sign in directions.items() if sign}


# Least net change of an effect: share of its total variation, and standard errors.
ONE_WAY = 0.9
Z_DIRECTION = 3.0


def _direction(effects: Floats) -> int:
    """Return 1 or -1 if effects (folds, g) all clearly go that way, else 0."""
    net = effects[:, -1] - effects[:, 0]
    variation = np.abs(np.diff(effects)).sum(axis=1)
    if (np.abs(net) < ONE_WAY * variation).any() or not variation.all():
        return 0
    if abs(net.mean()) < Z_DIRECTION * jackknife_errors(net):
        return 0
    return int(np.sign(net.mean()))
