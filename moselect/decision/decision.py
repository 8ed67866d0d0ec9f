"""From costs or preferences to one model: kinds are fitted, compared, one chosen."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from moselect.decision.costs import Costs, ResolvedCosts, cost_matrix
from moselect.decision.decided import Judged
from moselect.decision.evidence import Evidence
from moselect.decision.explanation import Explanation, explain, importance_of
from moselect.decision.goal import Goal, preference_goal, preference_weights
from moselect.decision.kind_fits import KindFits
from moselect.decision.kinds import (
    KINDS,
    PROPORTIONAL_ODDS,
    RIVALS,
    check_kind,
)
from moselect.decision.known_models import Models, name_models
from moselect.decision.learners import KindMaker
from moselect.decision.limits import read_limits
from moselect.decision.promise import profiles_of
from moselect.folds import Folds
from moselect.learning import FitError, Fitted
from moselect.metrics.objectives import Objective
from moselect.models import Model
from moselect.models.objective_values import DEFAULT
from moselect.models.referral import answers
from moselect.samples import Samples

FAR = 2.0  # standard errors between figures of shuffled folds and of time, to show both
WORTH_TUNING = (
    0.1  # of the best kind's cost: a linear rule that starts further off is not it
)


class Decision:
    """Decide between kinds of model on one table, for any costs, preferences and limits.

    Only the linear rule is fitted for its goal. The other kinds are fitted once, when
    they are first needed, and decide by the least expected cost under their class
    probabilities.

    Parameters
    ----------
    samples : Samples
        The training samples, as they came.
    maker : KindMaker
        Makes the kinds.
    folds : Folds, optional
        A partition of the samples, or folds that go forward; by default five.
    held_out : Samples, optional
        Samples that the search held out; nothing is fitted to them.
    objectives : sequence of Objective
        What is measured of the chosen model.
    gains : mapping of str to float, optional
        The unit of each objective's gain above chance, for preferences.

    Examples
    --------
    >>> import numpy as np
    >>> from moselect.decision import Costs
    >>> X, y = np.arange(60.0)[:, None] % 20, np.arange(60) % 20 // 10 + 1
    >>> samples = Samples.from_table(X, y)
    >>> decision = Decision(samples, KindMaker(samples.X))
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
        held_out: Samples | None = None,
        objectives: Sequence[Objective] = DEFAULT,
        gains: Mapping[str, float] | None = None,
    ) -> None:
        self.samples = samples
        smallest = int(samples.class_sizes.min())
        self.folds = folds or Folds.of_samples(samples, max(2, min(5, smallest)))
        rows = self.folds.held_out  # not all, where folds go forward
        self.tested = samples if len(rows) == len(samples) else samples.take(rows)
        self.fold_of_tested = self.folds.parts[rows]
        self._parts = samples, self.tested, self.fold_of_tested
        self.held_out = held_out
        self.objectives = tuple(objectives)
        self._gains = gains
        self.fits = KindFits(samples, maker, self.folds, held_out)
        self._shuffled = (  # what would be shown without regard to time
            None
            if samples.times is None
            else Decision(replace(samples, times=None), maker)
        )

    def for_costs(
        self,
        costs: Costs,
        kind: str | None = None,
        limits: Mapping[str, float] | None = None,
        models: Models | None = None,
    ) -> Model:
        """Return the model that is to cost least on new data.

        Parameters
        ----------
        costs : Costs
            What mistakes cost.
        kind : str, optional
            ``"points"``, ``"linear"``, ``"curves"``, ``"pool"`` or a rival;
            ``"cheapest"``, or ``"simple"`` for the simplest within 5 % of the least cost.
            By default the cheapest on new data.
        limits : mapping of str to float, optional
            As in `read_limits`.
        models : mapping, sequence, estimator or str, optional
            Classifiers with ``predict_proba``, or names of known ones, as
            `moselect.compare` takes them: further kinds, which stand before the pool. One
            that cannot be fitted is left out, with the reason in the evidence.

        Raises
        ------
        ValueError
            If there are no costs, or costs, priors, kind or limits do not fit.
        """
        goal, resolved = self._priced(costs)
        return self._select(goal, kind, limits, models, costs=resolved)

    def for_preferences(
        self,
        preferences: Mapping[str, float] | None,
        kind: str | None = None,
        limits: Mapping[str, float] | None = None,
        models: Models | None = None,
    ) -> Model:
        """Return the model of the greatest gain above chance expected on new data.

        Parameters as in `for_costs`; without preferences all objectives weigh the same.

        Raises
        ------
        ValueError
            If an objective was not searched, or weights are negative or all zero.
        """
        goal, weights = self._preferred(preferences)
        return self._select(goal, kind, limits, models, weights=weights)

    def linear_rule(
        self, costs: Costs | None, preferences: Mapping[str, float] | None = None
    ) -> Model:
        """Return the linear rule for costs, or by preference, without evidence.

        It is the model of kind ``"linear"`` that the other methods return, and takes a
        sixth of their time: nothing is fitted without folds.
        """
        goal, _ = self._preferred(preferences) if costs is None else self._priced(costs)
        rule: Model = self.fits.whole("linear", goal)
        return rule.replace(classes_=self.samples.classes)

    def _priced(self, costs: Costs) -> tuple[Goal, ResolvedCosts]:
        """Return the goal of costs, and the costs of these classes."""
        costs.require()
        resolved = costs.resolve(self.samples.classes, self.samples.class_weights)
        return Goal(resolved.in_use), resolved

    def _preferred(
        self, preferences: Mapping[str, float] | None
    ) -> tuple[Goal, dict[str, float]]:
        """Return the goal of preferences, and the weight of every objective."""
        if self._gains is None:
            raise ValueError("preferences need the gains of a search: give costs")
        weights = preference_weights(preferences, self.objectives)
        shares = self.samples.class_weights
        return preference_goal(weights, self._gains, self.objectives, shares), weights

    def explain(self, kind: str, costs: ResolvedCosts | None = None) -> Explanation:
        """Return what moves the answer of a kind, and what matters to it on new data.

        ``costs`` are those by which classes are called; by default the distance between
        classes.
        """
        goal = self._called_by(costs)
        model, without = self.fits.whole(kind, goal), self.fits.without_folds(kind, goal)
        return explain(kind, model, without, self.samples, self.folds, goal.costs)

    def importance(self, kind: str, costs: ResolvedCosts | None = None) -> pd.DataFrame:
        """Return what matters to a kind on new data: a half of `explain`."""
        goal = self._called_by(costs)
        without = self.fits.without_folds(kind, goal)
        return importance_of(without, self.samples, self.folds, goal.costs)

    def _called_by(self, costs: ResolvedCosts | None) -> Goal:
        """Return the goal by which classes are called, without referral."""
        r = self.samples.n_classes
        return Goal(cost_matrix(np.ones(r)) if costs is None else costs.in_use[:, :r])

    def _other_rivals(self, goal: Goal) -> dict[str, Fitted]:
        """Return rivals that no kind makes, such as the best member of a front."""
        return {}

    def _select(
        self,
        goal: Goal,
        kind: str | None,
        limits: Mapping[str, float] | None,
        models: Models | None,
        costs: ResolvedCosts | None = None,
        weights: Mapping[str, float] | None = None,
    ) -> Model:
        stated = read_limits(limits, self.samples.classes)
        referral = None if costs is None else costs.referral
        fits, eligible, choice, left_out = self._fitted(goal, kind, models)
        judge = partial(Judged, goal=goal, by_cost=costs is not None, referral=referral)
        judged = judge(fits, *self._parts, limits=stated)
        # With priors, or forward in time, no model knows the shares of what judges it.
        by_shares = not self.folds.goes_forward and (
            costs is None or np.array_equal(costs.matrix, costs.in_use)
        )
        selected, expected = judged.choose(eligible, choice, by_shares)
        one, tested, own = (
            judged.decided[selected],
            self.tested,
            {selected: fits[selected]},
        )
        called = answers(self.samples.classes, referral)
        loss, error = judged.figure(selected)
        without_limits = shuffled = None
        if stated:
            free = judge(own, *self._parts, limits=[])
            without_limits = judged.value(free.figure(selected)[0])
        if self._shuffled is not None and selected in (*KINDS, *RIVALS):
            with suppress(FitError):  # some fold lacks what it needs: nothing to compare
                again = {selected: self._shuffled.fits(selected, goal.of_classes)}
                mixed = judge(again, *self._shuffled._parts, limits=stated)
                other, its_error = mixed.figure(selected)
                if abs(other - loss) > FAR * math.hypot(its_error, error):
                    shuffled = judged.value(other), its_error
        evidence = Evidence(
            selected=selected,
            value="cost" if judged.by_cost else "utility",
            expected=judged.value(expected),
            expected_se=float(np.hypot(error, expected - loss)),
            rules=judged.rules(self.held_out),
            differences=judged.differences(selected),
            objectives=one.objectives(
                self.fold_of_tested, self.held_out, self.objectives
            ),
            predicted=pd.DataFrame(
                {
                    name: called[each.new_data.codes]
                    for name, each in judged.decided.items()
                },
                index=tested.rows,
            ),
            probabilities={
                name: each.new_data.proba
                for name, each in judged.decided.items()
                if each.new_data.proba is not None
            },
            folds=self.fold_of_tested,
            samples=replace(tested, X=np.empty((len(tested), 0))),
            scorecards=fits["points"].new_data.path if "points" in fits else None,
            confusion=one.confusion(),
            costs=costs,
            preferences=weights,
            limits=one.reached,
            without_limits=without_limits,
            conditions=judged.conditions(),
            shuffled=shuffled,
            left_out=left_out,
            columns=profiles_of(self.samples.X),
        )
        return one.handed_over(evidence)

    def _fitted(
        self, goal: Goal, kind: str | None, models: Models | None
    ) -> tuple[dict[str, Fitted], list[str], Any, dict[str, str]]:
        """Return what was fitted, what to choose from, how, and why others failed."""
        others = self._other_rivals(goal.of_classes)
        added = {} if models is None else name_models(models, self.samples.classes)
        for name in {*KINDS, *RIVALS, *others} & added.keys():
            raise ValueError(f"{name!r} is considered anyway: give models of other names")
        self.fits.add_models(added)
        *simpler, pool = KINDS
        names, choice = check_kind(kind, (*simpler, *added, pool, *others, *RIVALS))
        eligible = [name for name in names if name in (*KINDS, *added) or name == kind]
        wanted = dict.fromkeys([*eligible, *others, *RIVALS])
        fits, left_out = dict(others), dict[str, str]()
        # The pool first: other processes, worth their start for it, then help with the others. The
        # linear rule last: it is fitted anew for each goal, if it could be taken.
        for name in sorted(
            (each for each in wanted if each not in others),
            key=lambda name: (name == "linear") - (name == pool),
        ):
            if (
                name == "linear" != kind
                and self._tuning_to_gain(fits, goal) > WORTH_TUNING
            ):
                continue
            try:
                fits[name] = self.fits(name, goal.of_classes)
            except FitError as error:
                left_out[name] = str(error)
        fits = {name: fits[name] for name in wanted if name in fits}
        fitted = [name for name in eligible if name in fits]
        if not fitted:
            raise ValueError(f"{eligible[0]} cannot be fitted: {left_out[eligible[0]]}")
        return fits, fitted, choice, left_out

    def _tuning_to_gain(self, fits: Mapping[str, Fitted], goal: Goal) -> float:
        """Return what share proportional odds cost more than the best kind."""
        if goal.ranking.any() or PROPORTIONAL_ODDS not in fits:
            return 0.0
        codes, weights = self.tested.codes, self.tested.each_weight
        losses = {
            name: goal.losses(codes, told.codes, told.scores, weights)[0]
            for name, fit in fits.items()
            for told in [fit.new_data.decided(goal.costs)]
        }
        least = min(losses.values())
        return losses[PROPORTIONAL_ODDS] / least - 1.0 if least > 0.0 else 0.0
