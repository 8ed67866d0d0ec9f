"""What a selected model has to beat: the front's best member, proportional odds, one class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from moselect._types import Floats, Integers
from moselect.decision import Goal, LinearRuleFitter, trivial_classes
from moselect.front.evidence import PLUG_IN, TRIVIAL
from moselect.front.front import Front
from moselect.metrics.objectives import ALL_OBJECTIVES
from moselect.models import OrdinalLinearClassifier
from moselect.models.linear_batch import LinearBatch
from moselect.samples import Samples

MOST_ROWS = 10_000  # to compare the members of a front on
RANKINGS = tuple(objective.name for objective in ALL_OBJECTIVES if not objective.of_classes)


class Predictions(NamedTuple):
    """Predicted class codes and scores (n,) of all samples."""

    codes: Integers
    scores: Floats


def baselines(
    fitter: LinearRuleFitter, codes: Integers, goal: Goal
) -> tuple[dict[str, Predictions], dict[str, Predictions]]:
    """Return what proportional odds and the best single class predict, also cross-validated."""
    plug_in, crossed_plug_in = fitter.plug_in(goal.costs)
    scores, cross_scores = fitter.plug_in_scores()
    constant = np.full(len(codes), goal.costs[codes].sum(axis=0).argmin())
    crossed_constant = trivial_classes(codes, fitter.folds, goal.costs)
    nothing = np.zeros(len(codes))
    return (
        {PLUG_IN: Predictions(plug_in, scores), TRIVIAL: Predictions(constant, nothing)},
        {
            PLUG_IN: Predictions(crossed_plug_in, cross_scores),
            TRIVIAL: Predictions(crossed_constant, nothing),
        },
    )


def held_out_baselines(
    fitter: LinearRuleFitter, codes: Integers, goal: Goal, values: Floats
) -> dict[str, Predictions]:
    """Return what proportional odds and the best single class predict for held-out samples."""
    constant = np.full(len(values), goal.costs[codes].sum(axis=0).argmin())
    return {
        PLUG_IN: Predictions(*fitter.predict_plug_in(values, goal.costs)),
        TRIVIAL: Predictions(constant, np.zeros(len(values))),
    }


def predictions(model: OrdinalLinearClassifier, data: Samples) -> Predictions:
    """Return what a linear model of classes 0 .. r - 1 predicts."""
    scores = model.decision_function(data.X)
    return Predictions(np.searchsorted(model.thresholds_, scores, side="left"), scores)


def best_member(front: Front, data: Samples, goal: Goal) -> OrdinalLinearClassifier:
    """Return the direction of a front, with its best thresholds, of the least loss on the data.

    Of very many samples, a part decides.
    """
    directions, index = np.unique(front.weights, axis=0, return_index=True)
    sample = data.draw(MOST_ROWS)
    thresholds, totals = LinearBatch(sample).exact_thresholds(directions, goal.costs)
    losses = totals / len(sample)
    for weight, name in zip(goal.ranking, RANKINGS, strict=True):
        if weight > 0.0:
            losses += weight * (1.0 - front.objectives[name].to_numpy()[index])
    best = int(losses.argmin())
    return OrdinalLinearClassifier(directions[best], thresholds[best], range(data.n_classes))


def cross_validated_member(
    fold_fronts: Sequence[Front],
    data: Samples,
    folds: Integers,
    goal: Goal,
    refitted: Sequence[Floats] | None = None,
) -> Predictions:
    """Return what the best members of the fronts of the folds predict outside them.

    Parameters
    ----------
    fold_fronts : sequence of Front
        One front a fold, searched without it.
    data : Samples
        The samples that were dealt out to folds.
    folds : ndarray of int, shape (n,)
        The fold of each sample, from 0.
    goal : Goal
        What a member is to be best at.
    refitted : sequence of ndarray of shape (n, p_j), optional
        Columns of the samples fitted without each fold, if they depend on what they are fitted to.
    """
    codes, scores = np.empty_like(data.codes), np.empty(len(data))
    for fold, front in enumerate(fold_fronts):
        columns = data if refitted is None else replace(data, X=refitted[fold])
        inside, outside = columns.take(folds != fold), columns.take(folds == fold)
        member = best_member(front, inside, goal)
        own = member.decision_function(inside.X)
        found = predictions(member, outside)
        codes[folds == fold] = found.codes
        scores[folds == fold] = (found.scores - own.mean()) / (own.std() or 1.0)
    return Predictions(codes, scores)
