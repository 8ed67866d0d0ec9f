"""Decisions of one candidate for given costs, within limits, and their losses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers, record
from moselect.candidates.cross_validation import CV, Fitted
from moselect.candidates.splits import Splits
from moselect.costs.decisions import answers
from moselect.costs.limits import LimitReached
from moselect.costs.losses import confusion_of
from moselect.costs.priced import Priced
from moselect.evaluation.objective_figures import objective_figures
from moselect.evaluation.rules import LeastExpectedCost, OwnThresholds, decision_rule
from moselect.inference.standard_errors import (
    class_deviations,
    cost_errors,
    overlap_errors,
    typical_weights,
)
from moselect.metrics.objective import Objective
from moselect.models.learner import Predictions
from moselect.predictor import Model
from moselect.predictor.scorers import ProbabilityScorer

ERROR = "std_error"


@record
class Evaluation:
    """Decisions of one candidate under given costs and limits, and their losses.

    Attributes
    ----------
    fit : Fitted
        The fitted candidate.
    rule : LeastExpectedCost or OwnThresholds
        Decision rule, with the costs in use.
    splits : Splits
        Samples of the splits.
    predictions : mapping of str to Predictions
        Predictions for the splits ``"cv"``, ``"holdout"`` and ``"train"``, with the classes
        that the decision rule gives.
    limits : list of LimitReached
        Share of each limited mistake by the deployed model, cross-validated.
    is_monotone : bool
        Whether predictions keep the directions of the samples.
    """

    fit: Fitted
    rule: LeastExpectedCost
    splits: Splits
    predictions: Mapping[str, Predictions]
    limits: Sequence[LimitReached] = ()
    is_monotone: bool = False

    @property
    def priced(self) -> Priced:
        """The costs in use."""
        return self.rule.priced

    @property
    def out_of_fold(self) -> Predictions:
        """Out-of-fold predictions, with the classes that the decision rule gives."""
        return self.predictions[CV]

    @cached_property
    def cv_loss(self) -> tuple[float, Floats]:
        """Cross-validated loss, and the influence (u,) of each cluster on it."""
        return self.loss(CV)

    def figure(self) -> tuple[float, float]:
        """Return the out-of-fold loss and its standard error."""
        loss, influence = self.cv_loss
        _, max_cost = self.unobserved_mistake
        return loss, float(cost_errors(influence, max_cost, self.splits.cv))

    def corrected(self, loss: float) -> tuple[float, float]:
        """Return a loss corrected for selection bias, and its standard error."""
        shown, error = self.figure()
        # Some metrics are biased in small samples; a mean cost is not.
        corrected = loss + self.unobserved_mistake[0]
        return corrected, float(np.hypot(error, corrected - shown))

    @cached_property
    def unobserved_mistake(self) -> tuple[float, float]:
        """Bias and error of the loss by one further mistake of maximum cost."""
        samples = self.splits.cv
        codes = self.out_of_fold.codes
        metric = self.priced.loss.metric
        if metric is None:
            # A model that refers all of these rows may decide others; a constant one does not.
            is_referral = self.fit.is_constant and codes.min() == samples.n_classes
            return 0.0, 0.0 if is_referral else self.priced.max_cost(samples)
        if self.fit.is_constant:
            return 0.0, 0.0
        predicted, folds = self.splits.predicted, self.splits.folds
        counts = [
            confusion_of(predicted.take(rows), codes[rows], samples.n_classes)
            for rows in (folds == fold for fold in np.unique(folds))
        ]
        return metric.unseen(np.array(counts), typical_weights(samples))

    def take(self, rows: Integers) -> Evaluation:
        """Return the evaluation of some out-of-fold predictions."""
        known = {CV: self.out_of_fold.take(rows)}
        return replace(self, splits=self.splits.take(rows), predictions=known)

    def on_latest(self) -> Evaluation:
        """Return the evaluation of the latest rows: the holdout, or else the last fold."""
        splits = self.splits
        # Without times the holdout is drawn at random.
        if splits.holdout is None or splits.train.times is None:
            return self.take(np.flatnonzero(splits.folds == splits.folds.max()))
        folds = np.zeros(len(splits.holdout), int)
        latest = replace(splits, cv=splits.holdout, folds=folds, positions=None)
        return replace(self, splits=latest, predictions={CV: self.predictions["holdout"]})

    @property
    def is_within(self) -> bool:
        """Whether all limits hold."""
        return all(limit.holds for limit in self.limits)

    def deployed(self, **attributes: object) -> Model:
        """Return the deployable model, with its decision rule and further attributes."""
        samples = self.splits.train
        model = self.fit.model
        decision = self.rule.of_model(model, samples)
        monotone = dict(samples.directions) if self.is_monotone else {}
        return model.replace(
            classes_=samples.classes, decision=decision, monotone=monotone, **attributes
        )

    def confusion(self) -> pd.DataFrame:
        """Compute the cross-validated confusion matrix: true classes by answers."""
        tested = self.splits.predicted
        labels = answers(tested.classes, self.priced.referral)
        return pd.DataFrame(
            confusion_of(tested, self.out_of_fold.codes, len(labels)),
            pd.Index(tested.classes, name="true"),
            pd.Index(labels, name="predicted"),
        )

    def loss(self, split: str) -> tuple[float, Floats]:
        """Compute the loss on a split, and the influence (u,) of each cluster on it."""
        samples = self.splits.by_name[split]
        predictions = self.predictions[split]
        priced = self.priced.of(samples)
        loss, influence = priced.loss.estimate(
            priced.cells,
            samples,
            predictions.codes,
            # A constant prediction ranks at random.
            None if self.fit.is_constant else predictions.scores,
            self.splits.folds if split == CV else None,
        )
        if priced.has_priors:
            # With known class shares, the loss varies within classes only (stratification).
            influence = class_deviations(samples, influence)
            influence -= np.average(influence, weights=samples.weights)
        positions = self.splits.positions
        if split == CV and positions is not None:
            # Predictions of overlapping test folds are averaged: a sample is one observation.
            samples = self.splits.cv
            influence = np.bincount(positions, influence) / np.bincount(positions)
        return loss, samples.sum_by_cluster(influence)

    def excess_costs(self) -> Callable[[Integers], Floats]:
        """Return a function of the clusters that set the class shares.

        It computes the excess cost of each cluster (u,) over decisions for all samples.
        """
        tested = self.splits.cv
        predictions = self.fit.cv
        priced = self.priced.of(tested)
        metric = priced.loss.metric
        proba = predictions.proba
        # Chance is no estimate: a constant has a kappa of 0. The errors of the worst class are
        # corrected by themselves for decisions that were made for these samples.
        is_known = proba is None or priced.limits or self.unobserved_mistake[0] != 0.0
        is_fixed = metric is not None and is_known
        if self.fit.is_constant or is_fixed:
            return lambda units: np.zeros(tested.n_units)
        usual_costs = self.rule.costs_for(tested)
        shares = tested.sum_by_cluster(np.eye(tested.n_classes)[:, tested.codes])
        mean_shares = shares.mean(axis=1)

        def losses(costs: Floats) -> Floats:
            codes = predictions.with_decision(costs).codes
            # Decisions change no ranking.
            return np.add(*priced.loss.estimate(priced.cells, tested, codes))

        def excess(units: Integers) -> Floats:
            if metric is None or proba is None:
                ratios = shares[:, units].mean(axis=1) / mean_shares
                costs = usual_costs * ratios[:, None]
            else:  # the costs that optimise a metric are chosen on these clusters alone
                rows = np.isin(tested.units, units)
                part = tested.take(rows), proba[rows]
                costs = priced.loss.solve(priced.in_use, *part)
            # A metric is linearised at the confusion matrix of either.
            return tested.sum_by_cluster(losses(costs) - usual)

        usual = losses(usual_costs)
        return excess

    def measures(self, objectives: Sequence[Objective]) -> pd.DataFrame:
        """Measure the objectives on each split, of predicted classes without the reject option."""
        rows = {}
        for split, predictions in self.predictions.items():
            samples = self.splits.by_name[split]
            folds = self.splits.folds if split == CV else None
            square = None
            if self.priced.referral is not None:
                square = self.rule.costs_for(samples)[..., : samples.n_classes]
            rows[split], errors = objective_figures(
                objectives, samples, predictions.with_decision(square), folds
            )
            if split == CV:
                rows[ERROR] = errors
        if "train" in rows:
            optimism = rows["train"] - rows[CV]
            rows[ERROR] = overlap_errors(rows[ERROR], optimism, self.fit.terms)
        names = [objective.name for objective in objectives]
        return pd.DataFrame.from_dict(rows, orient="index", columns=names)


def decide(fit: Fitted, priced: Priced, splits: Splits) -> Evaluation:
    """Decide for costs, within limits, and keep known directions where that is possible."""
    tested = splits.predicted
    unlimited = decision_rule(fit, priced, tested)
    rule = unlimited
    if priced.limits and fit.cv.proba is not None and not isinstance(rule, OwnThresholds):
        rule = rule.within_limits(tested, fit.cv.proba)
    # Candidates without a model are constant, or of a comparison, which has no directions.
    scorer = None if fit.model is None else fit.model.scorer
    is_monotone = bool(splits.train.directions) and (scorer is None or scorer.in_order)
    if is_monotone and rule.by_row:
        is_monotone = rule.keeps_order_by_row(tested)
    elif is_monotone and (rule.of_groups or isinstance(scorer, ProbabilityScorer)):
        rule, is_monotone = rule.in_order(tested, splits.train.directions)
    predictions = {}
    for split, samples in splits.by_name.items():
        if split in fit.predictions:
            predicted = rule.decide(samples, fit.predictions[split])
            if fit.is_constant:
                # Shares of folds may differ in the cheapest class: the commonest one.
                commonest = np.bincount(predicted.codes).argmax()
                codes = np.full_like(predicted.codes, commonest)
                predicted = predicted._replace(codes=codes)
            predictions[split] = predicted
    reached = []
    if priced.limits:
        codes = predictions[CV].codes
        before = unlimited.decide(tested, fit.cv).codes
        reached = [
            limit.reached(tested, codes, splits.folds, before) for limit in priced.limits
        ]
    return Evaluation(fit, rule, splits, predictions, reached, is_monotone)
