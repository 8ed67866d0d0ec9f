"""Decisions about a searched table: the kinds of model, and the front's best member beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from moselect._types import Floats
from moselect.decision.decision import Decision
from moselect.decision.goal import Goal
from moselect.decision.learners import KindMaker
from moselect.folds import Folds
from moselect.front.front import Front
from moselect.learning import Fitted, Responses
from moselect.metrics.objectives import RANKING_OBJECTIVES, Objective, objective_named
from moselect.models import OrdinalLinearClassifier
from moselect.models.linear_batch import LinearBatch
from moselect.samples import Samples

MEMBER = "best member"
MOST_ROWS = 10_000  # to compare the members of a front on


class Selector(Decision):
    """Select models for costs or preferences from a front and the data that it was searched on.

    Parameters
    ----------
    front : Front
        The front of the data. With its ``fold_fronts`` its best member is a rival of the
        kinds.
    samples : Samples
        The training samples that were dealt out to folds, as they came.
    data : Samples
        The same in the columns that the members weigh.
    maker : KindMaker
        Makes the kinds.
    folds : Folds, optional
        The folds of the search.
    refitted : sequence of ndarray, optional
        Columns fitted without each fold, if they depend on what they are fitted to.
    held_out
        As in `Decision`.
    held_out_data : Samples, optional
        The samples held out, in the columns that the members weigh.
    objectives : sequence of Objective, optional
        Those of the front; by default they are known by their names.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=3, random_state=1).fit(X, y)
    >>> model = search.selector_.for_costs(moselect.Costs([1, 1, 1, 5, 5]), kind="linear")
    >>> model.evidence.selected
    'linear'
    """

    def __init__(
        self,
        front: Front,
        samples: Samples,
        data: Samples,
        maker: KindMaker,
        folds: Folds | None = None,
        refitted: Sequence[Floats] | None = None,
        *,
        held_out: Samples | None = None,
        held_out_data: Samples | None = None,
        objectives: Sequence[Objective] | None = None,
    ) -> None:
        gains = {
            str(name): float(front.objectives[name].max() - front.chance[name])
            for name in front.chance.index
        }
        super().__init__(
            samples,
            maker,
            folds,
            held_out=held_out,
            objectives=objectives
            or [objective_named(str(name)) for name in front.chance.index],
            gains=gains,
        )
        self.front = front
        self.data = data
        self.held_out_data = held_out_data
        self._refitted = refitted

    def _other_rivals(self, goal: Goal) -> dict[str, Fitted]:
        """Return the front's member of the least loss in training, and those of the folds."""
        if self.front.fold_fronts is None:
            return {}
        member = best_member(self.front, self.data, goal)
        outside = self.held_out_data
        rule = OrdinalLinearClassifier(
            member.coef_,
            member.thresholds_,
            member.classes_,
            self.front.feature_names,
            self.front.columns,
        )
        fit = Fitted(
            rule,
            _respond(member, self.data),
            self._member_on_new_data(goal),
            None if outside is None else _respond(member, outside),
            float(np.count_nonzero(member.coef_)),
            0.0,
        )
        return {MEMBER: fit}

    def _member_on_new_data(self, goal: Goal) -> Responses:
        """Return what the best members of the fronts of the folds say outside them."""
        data = self.data
        codes, scores = np.empty_like(data.codes), np.empty(len(data))
        for fold, (train, test) in enumerate(self.folds):
            front = (self.front.fold_fronts or ())[fold]
            columns = (
                data if self._refitted is None else replace(data, X=self._refitted[fold])
            )
            member = best_member(front, columns.take(train), goal)
            codes[test], scores[test] = _respond(member, columns.take(test))[:2]
        rows = self.folds.held_out
        return Responses(codes[rows], scores[rows], None)


def best_member(front: Front, data: Samples, goal: Goal) -> OrdinalLinearClassifier:
    """Return the direction of a front, with its best thresholds, of the least loss on the data.

    Of very many samples, a part decides.
    """
    directions, index = np.unique(front.weights, axis=0, return_index=True)
    sample = data.draw(MOST_ROWS)
    thresholds, totals = LinearBatch(sample).exact_thresholds(directions, goal.costs)
    losses = totals / sample.each_weight.sum()
    for weight, name in zip(goal.ranking, RANKING_OBJECTIVES, strict=True):
        if weight > 0.0:
            losses += weight * (1.0 - front.objectives[name].to_numpy()[index])
    best = int(losses.argmin())
    return OrdinalLinearClassifier(
        directions[best], thresholds[best], range(data.n_classes)
    )


def _respond(member: OrdinalLinearClassifier, data: Samples) -> Responses:
    scores = member.decision_function(data.X)
    return Responses(
        np.searchsorted(member.thresholds_, scores, side="left"), scores, None
    )
