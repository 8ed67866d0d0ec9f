"""A fitted kind, what it decides for a goal, within limits, and how good that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.decision.differences import cost_errors
from moselect.decision.evidence import ERROR, NEW_DATA, Evidence
from moselect.decision.goal import Goal
from moselect.decision.kinds import TRIVIAL
from moselect.decision.limits import Limit, LimitReached, costs_within
from moselect.decision.promise import Profile
from moselect.decision.rule_figures import confusion_of, rule_figures
from moselect.features import steps_of
from moselect.learning import Fitted, Responses
from moselect.metrics.objectives import Objective
from moselect.models import Model
from moselect.models.referral import Referral, answers
from moselect.samples import Samples


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
        self._limits = limits
        self.new_data = fit.new_data.decided(costs)
        self.training = fit.training.decided(costs)
        self.outside = None if fit.outside is None else fit.outside.decided(costs)

    @property
    def reached(self) -> list[LimitReached]:
        """What it reaches of each limit on new data."""
        return [
            limit.reached(self._tested, self.new_data.codes) for limit in self._limits
        ]

    @property
    def is_within(self) -> bool:
        """Whether it meets all limits."""
        return all(reached.met for reached in self.reached)

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
        """Return the samples of each true class (rows) that get each answer as new data."""
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
        """Return the loss of what it says about samples, and the influence of each unit on it."""
        codes, weights = samples.codes, samples.each_weight
        of_classes = Goal(goal.costs)
        ranks = self.name != TRIVIAL
        loss, influence = (goal if ranks else of_classes).losses(
            codes, responses.codes, responses.scores, weights, folds
        )
        if not ranks:  # it ranks at random
            loss += goal.chance_loss(codes, weights) - of_classes.chance_loss(
                codes, weights
            )
        return loss, samples.of_units(influence)

    def dearer(self, goal: Goal, units: Integers) -> Floats:
        """Return what each unit (u,) costs more as new data by the class shares of some of them."""
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

    def by_conditions(self, goal: Goal, folds: Integers) -> pd.DataFrame | None:
        """Return the loss of scorecards of 1 to 20 conditions on new data, and its error."""
        if self.fit.new_data.path is None:
            return None
        told = [
            Responses.of(proba).decided(self.goal.costs)
            for proba in self.fit.new_data.path
        ]
        dearest = goal.dearest(self._tested)
        found = [self.loss(goal, self._tested, each, folds) for each in told]
        return pd.DataFrame(
            [(loss, float(cost_errors(influence, dearest))) for loss, influence in found],
            pd.RangeIndex(1, len(found) + 1, name="conditions"),
            [NEW_DATA, ERROR],
        )

    def objectives(
        self, folds: Integers, held_out: Samples | None, objectives: Sequence[Objective]
    ) -> pd.DataFrame:
        """Return the objectives on new data, with standard errors, held out and in training.

        They are those of the classes that all samples would get if none were left to a
        person.
        """

        def classed(told: Responses) -> Responses:
            square = None if self._referral is None else self.goal.of_classes.costs
            return told.decided(square)

        new, errors = rule_figures(
            objectives, self._tested, classed(self.new_data), folds
        )
        rows = {NEW_DATA: new, ERROR: errors}
        if held_out is not None and self.outside is not None:
            rows["held out"] = rule_figures(objectives, held_out, classed(self.outside))[
                0
            ]
        rows["training"] = rule_figures(
            objectives, self._samples, classed(self.training)
        )[0]
        names = [objective.name for objective in objectives]
        return pd.DataFrame.from_dict(rows, orient="index", columns=names)


def _used(model: Model, profiles: list[Profile]) -> list[Profile]:
    """Return the columns of the table that a model takes: of others a file says nothing."""
    first: Any = next(iter(steps_of(model.columns)), None)
    if not hasattr(first, "inputs"):
        return profiles
    names = {column.name for column in first.inputs}
    return [profile for profile in profiles if profile.name in names]
