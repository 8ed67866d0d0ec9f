"""What kinds decide for a goal within limits, how good it is, which is taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.decision.differences import (
    BEHIND,
    PairedDifference,
    behind_best,
    cost_errors,
    loss_difference,
)
from moselect.decision.evidence import ERROR, NEW_DATA, Evidence
from moselect.decision.goal import Goal, confusion_of, rule_figures
from moselect.decision.kinds import TRIVIAL, Choice, choose_kind, loss_apart
from moselect.decision.limits import Limit, costs_within
from moselect.decision.promise import Profile
from moselect.features import steps_of
from moselect.learning import Fitted, Responses
from moselect.metrics.objectives import Objective
from moselect.models import Model
from moselect.models.referral import Referral, answers
from moselect.samples import Samples

COLUMNS = (NEW_DATA, ERROR, *BEHIND, "held out", "training", "terms", "seconds")


class Decided:
    """A fitted kind, and the classes that it decides for under a goal and limits."""

    def __init__(
        self,
        name: str,
        fit: Fitted,
        goal: Goal,
        samples: Samples,
        tested: Samples,
        limits: list[Limit],
        referral: Referral | None = None,
    ) -> None:
        self.name, self.fit, self.goal, self._referral = name, fit, goal, referral
        costs: Floats | None = goal.costs
        if (
            name == "linear"
            and referral is None
            and all(limit.reached(tested, fit.new_data.codes).met for limit in limits)
        ):
            costs = None  # its own thresholds decide
        elif limits and fit.new_data.proba is not None:
            costs = costs_within(limits, goal.costs, tested, fit.new_data.proba)
            self.goal = Goal(costs, goal.ranking)
        self._costs, self._samples, self._tested = costs, samples, tested
        self.new_data = fit.new_data.decided(costs)
        self.training = fit.training.decided(costs)
        self.outside = None if fit.outside is None else fit.outside.decided(costs)
        # What it reaches of each limit on new data.
        self.reached = [limit.reached(tested, self.new_data.codes) for limit in limits]

    @property
    def is_within(self) -> bool:
        """Whether it meets all limits."""
        return all(limit.met for limit in self.reached)

    def handed_over(self, evidence: Evidence) -> Model:
        """Return the model, which knows its evidence; ValueError if it is no model."""
        classes, model = self._samples.classes, self.fit.model
        if model is None:
            label = classes[self.new_data.codes[0]]
            raise ValueError(f"there is no model to hand over: always predict {label}")
        evidence = replace(evidence, columns=_used(model, evidence.columns))
        decision = model.decision
        if self._costs is not None and hasattr(model, "predict_proba"):
            # The outermost thresholds along a score are beyond all those of the samples.
            scores = (
                None
                if model.calibration is None
                else model.decision_function(self._samples.X)
            )
            decision = model.scorer.decision(self._costs, self._referral, scores)
        known = {"evidence": evidence, "promise": evidence.promise}
        return model.replace(classes_=classes, decision=decision, **known)

    def confusion(self) -> pd.DataFrame:
        """Return how many samples of each class (rows) get each answer."""
        classes = self._tested.classes
        called = answers(classes, self._referral)
        return pd.DataFrame(
            confusion_of(self._tested, self.new_data.codes, len(called)),
            pd.Index(classes, name="true"),
            pd.Index(called, name="predicted"),
        )

    def loss(
        self,
        goal: Goal,
        samples: Samples,
        responses: Responses,
        folds: Integers | None = None,
    ) -> tuple[float, Floats]:
        """Return the loss of what it says, and the influence of each unit on it."""
        codes, weights = samples.codes, samples.each_weight
        # What always says one class ranks at random.
        measured = Goal(goal.costs) if self.name == TRIVIAL else goal
        loss, influence = measured.losses(
            codes, responses.codes, responses.scores, weights, folds
        )
        loss += goal.chance_loss(codes, weights) - measured.chance_loss(codes, weights)
        return loss, samples.of_units(influence)

    def dearer(self, goal: Goal, units: Integers) -> Floats:
        """Return what each unit (u,) costs more by the class shares of some units."""
        tested, told = self._tested, self.fit.new_data
        shares = tested.of_units(np.eye(tested.n_classes)[:, tested.codes])
        ratios = shares[:, units].mean(axis=1) / shares.mean(axis=1)
        by_ratios, own = (
            told.decided(costs).codes
            for costs in (self.goal.costs * ratios[:, None], self.goal.costs)
        )
        return tested.of_units(
            goal.costs[tested.codes, by_ratios] - goal.costs[tested.codes, own]
        )

    def objectives(
        self, folds: Integers, held_out: Samples | None, objectives: Sequence[Objective]
    ) -> pd.DataFrame:
        """Return the objectives on new data, with errors, held out and in training.

        They are those of the classes that all samples would get if none were left to a
        person.
        """
        square = None if self._referral is None else self.goal.of_classes.costs

        def measured(
            samples: Samples, told: Responses, folds: Integers | None = None
        ) -> tuple[Floats, Floats]:
            return rule_figures(objectives, samples, told.decided(square), folds)

        new, errors = measured(self._tested, self.new_data, folds)
        rows = {NEW_DATA: new, ERROR: errors}
        if held_out is not None and self.outside is not None:
            rows["held out"] = measured(held_out, self.outside)[0]
        rows["training"] = measured(self._samples, self.training)[0]
        names = [objective.name for objective in objectives]
        return pd.DataFrame.from_dict(rows, orient="index", columns=names)


class Judged:
    """Kinds and rivals that have decided for one goal, judged on the same samples.

    Parameters
    ----------
    fits : mapping of str to Fitted
        The kinds and rivals.
    samples, tested : Samples
        The training samples, and those of them that some fold leaves out.
    folds : ndarray of shape (n,)
        The folds of the tested samples.
    goal : Goal
        What they are to be good at.
    by_cost : bool
        Whether the goal is a cost; else it is a preference, whose value is the gain over
        what needs no features.
    limits : list of Limit
        Within which they decide.
    referral : Referral, optional
        What a row is called that is left to a person.

    Attributes
    ----------
    decided : dict of str to Decided
        What each decides.
    losses : dict of str to (float, ndarray of shape (u,))
        Loss of each on new data, and the influence of each unit on it.
    """

    def __init__(
        self,
        fits: Mapping[str, Fitted],
        samples: Samples,
        tested: Samples,
        folds: Integers,
        goal: Goal,
        by_cost: bool,
        limits: list[Limit],
        referral: Referral | None = None,
    ) -> None:
        self._samples, self._tested, self._folds = samples, tested, folds
        self.goal, self.by_cost = goal, by_cost
        self._chance = goal.chance_loss(samples.codes, samples.each_weight)
        self.decided = {
            name: Decided(name, fit, goal, samples, tested, limits, referral)
            for name, fit in fits.items()
        }
        self.losses = {
            name: one.loss(goal, tested, one.new_data, folds)
            for name, one in self.decided.items()
        }

    def figure(self, name: str) -> tuple[float, float]:
        """Return the loss of one on new data, and its standard error."""
        return self._figure(*self.losses[name])

    def value(self, loss: Any) -> Any:
        """Return a loss as it is shown: by preference what it gains over chance."""
        return loss if self.by_cost else self._chance - loss

    def choose(
        self, eligible: list[str], choice: Choice, by_shares: bool
    ) -> tuple[str, float]:
        """Return the kind to hand over, and its loss as one that was not chosen by it.

        Kinds that meet their limits go before those that do not. ``by_shares`` says
        whether the shares of the classes in the data decide with the probabilities.
        """
        within = [name for name in eligible if self.decided[name].is_within]
        names = within or eligible
        # Differences of costs are shares of the cost.
        least = min(self.losses[name][0] for name in names)
        scale = 0.0 if self.by_cost else self.value(least)

        def paid(units: Integers) -> dict[str, Floats]:
            """Return the losses (u,) by kind if the class shares of some units decide."""
            return {
                name: np.add(*self.losses[name])
                + (self.decided[name].dearer(self.goal, units) if by_shares else 0.0)
                for name in names
            }

        tested = self._tested
        together = tested.undivided if tested.groups is None else np.unique(tested.groups)
        selected = choose_kind({name: self.losses[name] for name in names}, choice, scale)
        return selected, loss_apart(paid, together, choice, scale)

    def rules(self, held_out: Samples | None) -> pd.DataFrame:
        """Return what is shown of each: its values, terms and seconds."""
        rows = {}
        for name, one in self.decided.items():
            loss, error = self.figure(name)
            rows[name] = {
                NEW_DATA: loss,
                ERROR: error,
                "training": one.loss(self.goal, self._samples, one.training)[0],
                "terms": one.fit.terms,
                "seconds": one.fit.seconds,
            }
            if held_out is not None and one.outside is not None:
                rows[name]["held out"] = one.loss(self.goal, held_out, one.outside)[0]
        rules = pd.DataFrame.from_dict(rows, orient="index")
        rules = rules.join(behind_best(self.losses, self.by_cost))
        rules = rules[[name for name in COLUMNS if name in rules]]
        for name in {NEW_DATA, "held out", "training"} & {*rules}:
            rules[name] = self.value(rules[name])
        return rules.sort_values(NEW_DATA, ascending=self.by_cost, kind="stable")

    def differences(self, selected: str) -> dict[str, PairedDifference]:
        """Return how much the selected one is better than each other, if known."""
        own = self.losses[selected]
        found = {
            name: loss_difference(own, rival, self.by_cost)
            for name, rival in self.losses.items()
            if name != selected
        }
        return {name: each for name, each in found.items() if each is not None}

    def conditions(self) -> pd.DataFrame | None:
        """Return the value of scorecards by their conditions; None without any."""
        cards = self.decided.get("points")
        if cards is None or cards.fit.new_data.path is None:
            return None
        found = []
        for proba in cards.fit.new_data.path:
            told = Responses.of(proba).decided(cards.goal.costs)
            lost = cards.loss(self.goal, self._tested, told, self._folds)
            loss, error = self._figure(*lost)
            found.append((self.value(loss), error))
        index = pd.RangeIndex(1, len(found) + 1, name="conditions")
        return pd.DataFrame(found, index, [NEW_DATA, ERROR])

    def _figure(self, loss: float, influence: Floats) -> tuple[float, float]:
        dearest = self.goal.dearest(self._tested)
        return loss, float(cost_errors(influence, dearest))


def _used(model: Model, profiles: list[Profile]) -> list[Profile]:
    """Return the columns that a model takes: of others a file says nothing."""
    first: Any = next(iter(steps_of(model.columns)), None)
    if not hasattr(first, "inputs"):
        return profiles
    names = {column.name for column in first.inputs}
    return [profile for profile in profiles if profile.name in names]
