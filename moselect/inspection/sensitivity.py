"""Sensitivity of a selection: to limits, and to known directions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from moselect._types import Floats
from moselect.budgets import INSPECTION
from moselect.candidates.candidates import CandidateFits
from moselect.candidates.names import ADDITIVE
from moselect.evaluation.evaluations import Evaluations
from moselect.inference.standard_errors import jackknife_errors
from moselect.inspection.explanation import effects_by_model
from moselect.inspection.findings import (
    ConstraintCost,
    Finding,
    SuggestedDirections,
    WithoutLimits,
)
from moselect.models.learner import FitError
from moselect.predictor import Model
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.tables.cells import as_frame


def evaluate(
    fits: CandidateFits, names: Iterable[str], others: Evaluations
) -> Evaluations:
    """Evaluate some candidates like others on the same folds; FitError if one cannot be fitted."""
    criteria = others.criteria
    known = {name: fits(name, criteria.of_classes) for name in names}
    splits = others.splits._replace(train=fits.samples)
    return Evaluations.of(known, criteria, splits)


def findings_of(
    evaluated: Evaluations,
    selected: str,
    fits: CandidateFits,
    unconstrained: CandidateFits | None,
) -> Iterator[Finding]:
    """Return the findings that hold for a selection with limits or known directions.

    Parameters
    ----------
    evaluated : Evaluations
        Candidates that keep the limits and directions.
    selected : str
        The selected candidate.
    fits, unconstrained : CandidateFits
        Fits of the same table and folds, with and without directions, if there are any.
    """
    if evaluated.criteria.limits:
        yield value_without_limits(evaluated, selected)
    if unconstrained is not None:
        with suppress(FitError):  # a candidate cannot be fitted: nothing to compare
            yield from cost_of_directions(evaluated, selected, fits, unconstrained)


def value_without_limits(evaluated: Evaluations, selected: str) -> WithoutLimits:
    """Evaluate the selected candidate without its limits."""
    criteria = replace(evaluated.criteria, limits=())
    fits = {selected: evaluated[selected].fit}
    other = Evaluations.of(fits, criteria, evaluated.splits)
    return WithoutLimits(float(evaluated.value_of(other[selected].figure()[0])))


def cost_of_directions(
    evaluated: Evaluations,
    selected: str,
    fits: CandidateFits,
    unconstrained: CandidateFits,
) -> Iterator[ConstraintCost | SuggestedDirections]:
    """Estimate the cost of the known directions, and directions that the data suggest.

    An ensemble has no single score: the additive model is compared in its place.
    """
    candidate = fits.candidates.get(selected)
    is_sum = candidate is not None and candidate.is_sum
    name = selected if is_sum else ADDITIVE
    fold_models = unconstrained.fold_models(ADDITIVE, evaluated.criteria.of_classes)
    free = evaluate(unconstrained, {name, ADDITIVE}, evaluated)
    if name not in evaluated:
        evaluated = evaluate(fits, [name], evaluated)
    difference = evaluated.excess_over(free, name)
    if difference is not None:
        yield ConstraintCost(name, difference)
    signs = suggested_directions(fold_models, fits.samples, fits.folds)
    yield SuggestedDirections(signs)


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
