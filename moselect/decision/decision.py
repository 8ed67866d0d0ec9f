"""From costs or preferences to one model: kinds fitted whole and in folds, compared, one chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy

import numpy as np
import pandas as pd
from sklearn.metrics import confusion_matrix
from sklearn.pipeline import make_pipeline

from moselect._types import Floats, Integers
from moselect.decision.choice import check_kind, choose_kind
from moselect.decision.costs import Costs, ResolvedCosts
from moselect.decision.decided import Decided
from moselect.decision.differences import (
    BEHIND,
    PairedDifference,
    behind_best,
    cost_errors,
    loss_difference,
    verdict,
)
from moselect.decision.evidence import ERROR, NEW_DATA, Evidence, SelectedClassifier, SelectedPool
from moselect.decision.goal import Goal
from moselect.decision.kind_fits import KindFit, KindFits
from moselect.decision.kinds import KINDS, RIVALS, TRIVIAL, KindMaker
from moselect.decision.limits import LimitReached, read_limits
from moselect.decision.preferences import preference_goal, preference_weights
from moselect.folds import Folds
from moselect.metrics.objectives import Objective
from moselect.models.objective_values import DEFAULT
from moselect.samples import Samples

COLUMNS = (NEW_DATA, ERROR, *BEHIND, "held out", "training", "terms", "seconds")


class Decision:
    """Decide between kinds of model on one table, for any costs, preferences and limits.

    Only the linear rule is fitted for its goal. The other kinds are fitted once, when they are
    first needed, and decide by the least expected cost under their class probabilities.

    Parameters
    ----------
    samples : Samples
        The training samples, as they came.
    maker : KindMaker
        Makes the kinds.
    folds : Folds, optional
        A partition of the samples; by default five folds.
    rows : ndarray of int, optional
        Indices of the samples in the table of the user.
    held_out : Samples, optional
        Samples that the search held out; nothing is fitted to them.
    objectives : sequence of Objective
        What is measured of the chosen model.
    gains : mapping of str to float, optional
        The unit of each objective's gain above chance, for preferences.

    Examples
    --------
    >>> from moselect.decision import Costs
    >>> X, y = np.arange(60.0)[:, None] % 20, np.arange(60) % 20 // 10 + 1
    >>> samples = Samples.from_table(X, y)
    >>> decision = Decision(samples, KindMaker(samples.X, 2))
    >>> model = decision.for_costs(Costs([1, 5]), kind="linear")
    >>> model.predict([[0.0], [19.0]])
    array([1, 2])
    """

    def __init__(
        self,
        samples: Samples,
        maker: KindMaker,
        folds: Folds | None = None,
        *,
        rows: Integers | None = None,
        held_out: Samples | None = None,
        objectives: Sequence[Objective] = DEFAULT,
        gains: Mapping[str, float] | None = None,
    ) -> None:
        self.samples = samples
        smallest = int(samples.class_counts.min())
        self.folds = folds or Folds.deal(samples.groups, samples.codes, max(2, min(5, smallest)))
        self._rows = np.arange(len(samples)) if rows is None else rows
        self.held_out = held_out
        self.objectives = tuple(objectives)
        self._gains = gains
        self.fits = KindFits(samples, maker, self.folds, held_out)

    def for_costs(
        self,
        costs: Costs,
        kind: str | None = None,
        limits: Mapping[str, float] | None = None,
    ) -> SelectedClassifier | SelectedPool:
        """Return the model that is to cost least on new data, of the kind that the evidence names.

        Parameters
        ----------
        costs : Costs
            What mistakes cost.
        kind : str, optional
            ``"points"``, ``"linear"``, ``"curves"``, ``"pool"`` or a rival; ``"cheapest"``, or
            ``"simple"`` for the simplest within 5 % of the least cost. By default the pool, unless
            a simpler kind costs less by a standard error.
        limits : mapping of str to float, optional
            As in `read_limits`.

        Raises
        ------
        ValueError
            If there are no costs, or costs, priors, kind or limits do not fit.
        """
        costs.require()
        resolved = costs.resolve(self.samples.classes, self.samples.class_counts)
        return self._select(Goal(resolved.in_use), kind, limits, costs=resolved)

    def for_preferences(
        self,
        preferences: Mapping[str, float] | None,
        kind: str | None = None,
        limits: Mapping[str, float] | None = None,
    ) -> SelectedClassifier | SelectedPool:
        """Return the model of the greatest weighted gain above chance to be expected on new data.

        Parameters as in `for_costs`; without preferences all objectives weigh the same.

        Raises
        ------
        ValueError
            If an objective was not searched, or weights are negative or all zero.
        """
        if self._gains is None:
            raise ValueError("preferences need the gains of a search: give costs")
        weights = preference_weights(preferences, self.objectives)
        goal = preference_goal(weights, self._gains, self.objectives, self.samples.class_counts)
        return self._select(goal, kind, limits, weights=weights)

    def _other_rivals(self, goal: Goal) -> dict[str, KindFit]:
        """Return rivals that are not made by a kind, such as the best member of a front."""
        return {}

    def _select(
        self,
        goal: Goal,
        kind: str | None,
        limits: Mapping[str, float] | None,
        costs: ResolvedCosts | None = None,
        weights: Mapping[str, float] | None = None,
    ) -> SelectedClassifier | SelectedPool:
        stated = read_limits(limits, self.samples.classes)
        others = self._other_rivals(goal)
        rivals = (*others, *RIVALS)
        kinds, choice = check_kind(kind, (*KINDS, *rivals))
        kinds = tuple(name for name in kinds if name in KINDS or name == kind)
        fits = {name: self.fits(name, goal) for name in kinds if name not in others}
        fits |= others | {name: self.fits(name, goal) for name in RIVALS}
        decided = {
            name: Decided(name, fit, goal, self.samples, stated) for name, fit in fits.items()
        }
        losses = {
            name: one.loss(goal, self.samples, one.new_data, self.folds.index)
            for name, one in decided.items()
        }
        scale = (
            0.0
            if costs is not None
            else self._chance_loss(goal) - min(losses[name][0] for name in kinds)
        )
        selected = choose_kind({name: losses[name] for name in kinds}, choice, scale)
        rules, differences = self._compare(goal, decided, losses, selected, costs is not None)
        conditions = None
        if "points" in decided:
            conditions = decided["points"].by_conditions(goal, self.folds.index)
        if conditions is not None and costs is None:
            conditions[NEW_DATA] = self._chance_loss(goal) - conditions[NEW_DATA]
        return self._handed_over(
            selected,
            decided,
            Evidence(
                selected=selected,
                value="utility" if costs is None else "cost",
                rules=rules,
                differences=differences,
                verdicts=[
                    verdict(found, rival, in_percent=costs is not None)
                    for rival, found in differences.items()
                ],
                objectives=decided[selected].objectives(
                    self.folds.index, self.held_out, self.objectives
                ),
                predicted=pd.DataFrame(
                    {
                        name: self.samples.classes[one.new_data.codes]
                        for name, one in decided.items()
                    },
                    index=self._rows,
                ),
                probabilities={
                    name: one.new_data.proba
                    for name, one in decided.items()
                    if one.new_data.proba is not None
                },
                folds=self.folds.index,
                confusion=pd.DataFrame(
                    confusion_matrix(
                        self.samples.codes,
                        decided[selected].new_data.codes,
                        labels=range(self.samples.n_classes),
                    ),
                    index=pd.Index(self.samples.classes, name="true"),
                    columns=pd.Index(self.samples.classes, name="predicted"),
                ),
                calibration=decided[selected].fit.calibration,
                conditions=conditions,
                costs=costs,
                preferences=weights,
                limits=[
                    LimitReached(
                        limit.words,
                        limit.most,
                        *limit.share(self.samples.codes, decided[selected].new_data.codes),
                    )
                    for limit in stated
                ],
            ),
        )

    def _handed_over(
        self, selected: str, decided: Mapping[str, Decided], evidence: Evidence
    ) -> SelectedClassifier | SelectedPool:
        one, samples = decided[selected], self.samples
        rule = one.fit.rule
        if selected == TRIVIAL:
            label = samples.classes[one.new_data.codes[0]]
            raise ValueError(f"there is no model to hand over: always predict {label}")
        if rule is None:
            *before, last = (step for _, step in one.fit.model.steps)
            pool = copy(last)
            pool.classes_ = samples.classes  # it was fitted to class codes
            pipeline = make_pipeline(*before, pool)
            return SelectedPool(pipeline, samples.classes, one.goal.costs, evidence)
        return SelectedClassifier(
            rule.coef_,
            one.thresholds(),
            samples.classes,
            rule.feature_names,
            rule.columns,
            evidence,
        )

    def _compare(
        self,
        goal: Goal,
        decided: Mapping[str, Decided],
        losses: Mapping[str, tuple[float, Floats]],
        selected: str,
        by_cost: bool,
    ) -> tuple[pd.DataFrame, dict[str, PairedDifference]]:
        """Return the values of the rules, and the differences of the selected one from the rest."""
        rows = {}
        for name, one in decided.items():
            rows[name] = {
                NEW_DATA: losses[name][0],
                ERROR: float(cost_errors(losses[name][1], goal.costs.max())),
                "training": one.loss(goal, self.samples, one.training)[0],
                "terms": one.fit.terms,
                "seconds": one.fit.seconds,
            }
            if self.held_out is not None and one.outside is not None:
                rows[name]["held out"] = one.loss(goal, self.held_out, one.outside)[0]
        table = pd.DataFrame.from_dict(rows, orient="index")
        table = table.join(behind_best(losses, by_cost))
        table = table[[name for name in COLUMNS if name in table]]
        if not by_cost:  # a loss is what is missing to all gains at once
            for name in (NEW_DATA, "held out", "training"):
                if name in table:
                    table[name] = self._chance_loss(goal) - table[name]
        differences = {
            name: found
            for name, rival in losses.items()
            if name != selected
            and (found := loss_difference(losses[selected], rival, by_cost)) is not None
        }
        return table.sort_values(NEW_DATA, ascending=by_cost, kind="stable"), differences

    def _chance_loss(self, goal: Goal) -> float:
        return goal.chance_loss(self.samples.codes, np.ones(len(self.samples)))
