"""Evaluation of one candidate under selection criteria: decisions, limits and loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.learning import Fitted, Predictions
from moselect.metrics.objective import Objective
from moselect.metrics.referral import answers
from moselect.predictor import Model
from moselect.predictor.scorers import ProbabilityScorer
from moselect.samples.cost_order import costs_in_order
from moselect.samples.features import steps_of
from moselect.samples.samples import Samples
from moselect.selection.choice import TRIVIAL
from moselect.selection.decision_loss import SelectionCriteria, confusion_of, rule_figures
from moselect.selection.evidence import CV, Evidence
from moselect.selection.evidence_figures import ERROR
from moselect.selection.limits import costs_within
from moselect.selection.reference import Profile
from moselect.selection.standard_errors import class_means

PLACES = (CV, "holdout", "train")


class Parts(NamedTuple):
    """Samples on which candidates are evaluated."""

    samples: Samples  # training samples
    tested: Samples  # training samples in some test fold
    folds: Integers  # (n,) test folds of ``tested``
    held_out: Samples | None = None  # holdout set, unused in training


class CandidateEvaluation:
    """Predictions of one candidate under the given costs and limits."""

    def __init__(
        self, name: str, fit: Fitted, criteria: SelectionCriteria, parts: Parts
    ) -> None:
        self.name, self.fit, self._criteria, self._parts = name, fit, criteria, parts
        limits, tested, known = criteria.limits, parts.tested, fit.new_data
        # Costs of the decision rule; limits add to them.
        self.costs = self._solved_costs(tested, known.proba)
        self._has_thresholds = (
            name == "linear"
            and criteria.referral is None
            and all(limit.reached(tested, known.codes).met for limit in limits)
        )
        if limits and not self._has_thresholds and known.proba is not None:
            self.costs = costs_within(limits, self.costs, tested, known.proba)
        scorer = getattr(fit.model, "scorer", None)
        in_order = getattr(scorer, "in_order", True)
        # Whether predictions keep the directions of the samples.
        self.is_monotone = bool(parts.samples.directions) and in_order
        if self.is_monotone and isinstance(scorer, ProbabilityScorer):
            self.costs = costs_in_order(self.costs)
        costs = None if self._has_thresholds else self.costs
        said = [
            (tested, known, parts.folds),
            (parts.held_out, fit.held_out, None),
            (parts.samples, fit.training, None),
        ]
        # For each split: samples, predictions and fold ids.
        self.said: dict[str, tuple[Samples, Predictions, Integers | None]] = {
            place: (samples, responses.with_decision(costs), folds)
            for place, (samples, responses, folds) in zip(PLACES, said, strict=True)
            if samples is not None and responses is not None
        }
        self.new_data = self.said[CV][1]
        # Cross-validated share of each limited mistake.
        self.reached = [limit.reached(tested, self.new_data.codes) for limit in limits]

    def _solved_costs(self, samples: Samples, proba: Floats | None) -> Floats:
        """Return the costs of decisions, for a metric those that optimise it on samples."""
        goal = self._criteria.goal
        if proba is None:
            return goal.costs
        return goal.solved_costs(samples.codes, samples.sample_weight_or_ones, proba)

    @property
    def is_within(self) -> bool:
        """Whether it meets all limits."""
        return all(limit.met for limit in self.reached)

    def deployed(self, evidence: Evidence) -> Model:
        """Return the deployable model with its evidence; ValueError if there is none."""
        samples, model = self._parts.samples, self.fit.model
        if model is None:
            label = samples.classes[self.new_data.codes[0]]
            raise ValueError(f"there is no model to hand over: always predict {label}")
        evidence = replace(evidence, columns=used_profiles(model, evidence.columns))
        decision = model.decision
        if not self._has_thresholds and hasattr(model, "predict_proba"):
            # The outermost thresholds must lie beyond all training scores.
            along = model.calibration is not None
            scores = model.decision_function(samples.X) if along else None
            decision = model.scorer.decision(self.costs, self._criteria.referral, scores)
        known: dict[str, Any] = {"evidence": evidence, "reference": evidence.reference}
        known["monotone"] = dict(samples.directions) if self.is_monotone else {}
        return model.replace(classes_=samples.classes, decision=decision, **known)

    def confusion(self) -> pd.DataFrame:
        """Compute the cross-validated confusion matrix: true classes by answers."""
        tested = self._parts.tested
        called = answers(tested.classes, self._criteria.referral)
        return pd.DataFrame(
            confusion_of(tested, self.new_data.codes, len(called)),
            pd.Index(tested.classes, name="true"),
            pd.Index(called, name="predicted"),
        )

    def loss(
        self, samples: Samples, responses: Predictions, folds: Integers | None = None
    ) -> tuple[float, Floats]:
        """Compute the loss of predictions, and the influence (u,) of each cluster on it."""
        goal, codes, weights = (
            self._criteria.goal,
            samples.codes,
            samples.sample_weight_or_ones,
        )
        # A constant prediction ranks at random: only its cost is measured.
        measured = replace(goal, ranking=np.zeros(4)) if self.name == TRIVIAL else goal
        loss, influence = measured.losses(
            codes, responses.codes, responses.scores, weights, folds, samples.units
        )
        loss += goal.chance_loss(codes, weights) - measured.chance_loss(codes, weights)
        if self._criteria.has_priors:
            # With known class shares, the loss varies within classes only (stratification).
            influence = influence - class_means(samples, influence)
        return loss, samples.sum_by_cluster(influence)

    def dearer(self, units: Integers) -> Floats:
        """Compute the excess cost of each cluster (u,) if some clusters set the class shares."""
        tested, responses = self._parts.tested, self.fit.new_data
        goal, cells = self._criteria.goal, self._criteria.goal.costs
        if goal.metric is None:
            shares = tested.sum_by_cluster(np.eye(tested.n_classes)[:, tested.codes])
            ratios = shares[:, units].mean(axis=1) / shares.mean(axis=1)
            costs = self.costs * ratios[:, None]
        elif responses.proba is None or self._criteria.limits:
            return np.zeros(tested.n_units)
        else:  # the costs that optimise a metric are chosen on these clusters alone
            rows = np.isin(tested.units, units)
            costs = self._solved_costs(tested.take(rows), responses.proba[rows])
            confusion = confusion_of(tested, self.new_data.codes, tested.n_classes)
            cells = goal.metric.influences(confusion)
        chosen, paid = (
            cells[tested.codes, responses.with_decision(matrix).codes]
            for matrix in (costs, self.costs)
        )
        return tested.sum_by_cluster(chosen - paid)

    def objectives(self, objectives: Sequence[Objective]) -> pd.DataFrame:
        """Measure the objectives by cross-validation (with errors), on holdout and in training.

        They are measured on predicted classes without the reject option.
        """
        square = None
        if self._criteria.referral is not None:
            square = self.costs[:, : len(self.costs)]
        rows = {}
        for place, (samples, responses, folds) in self.said.items():
            rows[place], errors = rule_figures(
                objectives, samples, responses.with_decision(square), folds
            )
            if place == CV:
                rows[ERROR] = errors
        names = [objective.name for objective in objectives]
        return pd.DataFrame.from_dict(rows, orient="index", columns=names)


def used_profiles(model: Model, profiles: list[Profile]) -> list[Profile]:
    """Select the profiles of the columns that a model uses."""
    first: Any = next(iter(steps_of(model.columns)), None)
    if not hasattr(first, "inputs"):
        return profiles
    names = {column.name for column in first.inputs}
    return [profile for profile in profiles if profile.name in names]
