"""Evaluation of one candidate under selection criteria: decisions, limits and loss."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from msgspec import structs

from moselect._types import Array, Floats, Integers
from moselect.candidates.cross_validation import CV, SPLITS, Fitted
from moselect.candidates.names import TRIVIAL
from moselect.candidates.splits import SplitPredictions, Splits
from moselect.costs.decision_loss import LOWEST, DecisionLoss, confusion_of
from moselect.costs.decisions import answers, costs_in_order
from moselect.costs.limit_prices import limit_prices
from moselect.costs.limits import Limit, split_limit
from moselect.costs.row_costs import RowCosts
from moselect.evaluation.choice import CONSTANT
from moselect.evaluation.objective_figures import objective_figures
from moselect.inference.standard_errors import (
    class_means,
    cost_errors,
    overlap_errors,
    typical_weights,
)
from moselect.metrics.objective import Objective
from moselect.models.learner import Predictions
from moselect.predictor import Model
from moselect.predictor.decisions import LeastCost
from moselect.predictor.scorers import ProbabilityScorer
from moselect.samples.samples import Samples

ERROR = "std_error"


class CandidateEvaluation:
    """Predictions of one candidate under the given costs and limits, and their losses.

    Attributes
    ----------
    costs : ndarray of shape (r, r), or (r, r + 1) with a referral
        Costs of the decision rule, with those that optimise a metric and multipliers of limits.
    splits : dict of str to SplitPredictions
        Predictions on the splits ``"cv"``, ``"holdout"`` and ``"train"``.
    limits : list of LimitReached
        Share of each limited mistake by the deployed model, cross-validated.
    is_monotone : bool
        Whether predictions keep the directions of the samples.
    """

    def __init__(
        self, name: str, fit: Fitted, criteria: DecisionLoss, splits: Splits
    ) -> None:
        self.name = name
        self.fit = fit
        self._criteria = criteria
        self._samples = splits
        # A constant prediction is the class of least mean cost, whatever a row costs.
        self._decides_by_row = criteria.decides_by_row and name not in CONSTANT
        limits = criteria.limits
        tested = splits.predicted
        out_of_fold = fit.cv
        self.costs = criteria.solved_costs(tested, out_of_fold.proba)
        # Increases of the costs of the rows of a group by limits.
        self._of_groups: dict[Limit, Floats] = {}
        # Models for costs, and the linear rule, have thresholds that minimise the costs along
        # their score; limits that these miss, and referrals, need the probabilities.
        unpriced = self._costs_for(tested)
        unlimited = out_of_fold
        refers = False
        if limits or criteria.referral is not None:
            unlimited = out_of_fold.with_decision(unpriced)
            refers = bool((unlimited.codes >= len(self.costs)).any())
        self._has_thresholds = (
            (fit.is_for_costs or name == "linear")
            and not refers
            and not self._decides_by_row
            and all(limit.reached(tested, out_of_fold.codes).holds for limit in limits)
        )
        if self._has_thresholds:
            unlimited = out_of_fold
        elif limits and out_of_fold.proba is not None:
            prices = limit_prices(limits, unpriced, tested, out_of_fold.proba)
            self._raise_costs(prices)
        # Candidates without a model are constant, or of a comparison, which has no directions.
        scorer = None if fit.model is None else fit.model.scorer
        in_order = scorer is None or scorer.in_order
        self.is_monotone = (
            bool(splits.train.directions) and in_order and not self._decides_by_row
        )
        if self.is_monotone and (
            self._of_groups or isinstance(scorer, ProbabilityScorer)
        ):
            self.costs = costs_in_order(self.costs)
        if self.is_monotone and self._of_groups:
            columns = {split_limit(limit.words)[1] for limit in self._of_groups}
            self.is_monotone = columns.isdisjoint(splits.train.directions) and all(
                np.array_equal(costs, costs_in_order(costs))
                for costs in np.unique(self._costs_for(tested), axis=0)
            )
        samples_of = {CV: tested, "holdout": splits.holdout, "train": splits.train}
        self.splits: dict[str, SplitPredictions] = {}
        for split in SPLITS:
            samples = samples_of[split]
            if samples is not None and split in fit.predictions:
                predictions = fit.predictions[split]
                if not self._has_thresholds:
                    predictions = predictions.with_decision(self._costs_for(samples))
                # Class shares of the folds may differ in the cheapest class.
                if name in CONSTANT:
                    one = np.bincount(predictions.codes).argmax()
                    predictions = predictions._replace(
                        codes=np.full_like(predictions.codes, one)
                    )
                of_models = splits.folds if split == CV else None
                self.splits[split] = SplitPredictions(samples, predictions, of_models)
        codes = self.out_of_fold.codes
        self.limits = [
            limit.reached(tested, codes, splits.folds, unlimited.codes)
            for limit in limits
        ]

    def _raise_costs(self, prices: Floats) -> None:
        """Raise the costs of limited mistakes by their prices."""
        for limit, price in zip(self._criteria.limits, prices, strict=True):
            increase = price * limit.frequencies(self.costs.shape[-1])
            if limit.members is None:
                self.costs = self.costs + increase
            else:
                self._of_groups[limit] = increase
        if not any(increase.any() for increase in self._of_groups.values()):
            self._of_groups = {}

    def _costs_for(self, samples: Samples) -> Floats:
        """Return the costs (r, a) of decisions, or (n, r, a) of each sample."""
        costs = self.costs
        if self._decides_by_row:
            increase = costs - self._criteria.in_use
            costs = self._criteria.for_samples(samples).cells + increase
        for limit, increase in self._of_groups.items():
            costs = costs + limit.rows_of(samples)[:, None, None] * increase
        return costs

    @property
    def _row_costs(self) -> RowCosts | None:
        """Costs of the rows of other tables, if rows or groups have their own."""
        criteria = self._criteria
        row_costs = criteria.row_costs
        increase = self.costs - criteria.in_use
        if row_costs is None:
            if not self._of_groups:
                return None
            r = len(criteria.matrix)
            cells, refer = np.split(criteria.matrix, [r], axis=1)
            ratios = criteria.ratios.tolist()
            row_costs = RowCosts(cells.tolist(), refer.ravel().tolist() or None, ratios)
        groups: dict[str, dict[str, Any]] = {}
        for limit, of_group in self._of_groups.items():
            _, column, group = split_limit(limit.words)
            known = groups.setdefault(column, {})
            known[group] = np.add(of_group, known.get(group, 0.0)).tolist()
        return structs.replace(row_costs, prices=increase.tolist(), groups=groups)

    @property
    def tested(self) -> Samples:
        """Samples of the out-of-fold predictions."""
        return self.splits[CV].samples

    @property
    def out_of_fold(self) -> Predictions:
        """Out-of-fold predictions, with the classes that the decision rule gives."""
        return self.splits[CV].predictions

    @cached_property
    def cv_loss(self) -> tuple[float, Floats]:
        """Cross-validated loss, and the influence (u,) of each cluster on it."""
        return self.loss(*self.splits[CV])

    def figure(self) -> tuple[float, float]:
        """Return the out-of-fold loss and its standard error."""
        loss, influence = self.cv_loss
        _, max_cost = self.unobserved_mistake()
        return loss, float(cost_errors(influence, max_cost, self._samples.cv))

    def unobserved_mistake(self) -> tuple[float, float]:
        """Estimate bias and error of the loss by one further mistake of maximum cost."""
        tested, predictions, _ = self.splits[CV]
        samples = self._samples.cv
        metric = self._criteria.metric
        if metric is None:
            # A model that refers all of these rows may decide others; a constant one does not.
            codes = predictions.codes if self.name == TRIVIAL else LOWEST
            return 0.0, self._criteria.max_cost(samples, codes)
        if self.name in CONSTANT:
            return 0.0, 0.0
        counts = confusion_of(tested, predictions.codes, samples.n_classes)
        return metric.unseen(counts, typical_weights(samples))

    def take(self, rows: Array) -> CandidateEvaluation:
        """Return the evaluation of some out-of-fold predictions, by index or mask."""
        return self._only(self.splits[CV].take(rows))

    def by_time(self) -> tuple[CandidateEvaluation, CandidateEvaluation]:
        """Return the evaluations of the latest rows (holdout or last fold) and of earlier ones."""
        if "holdout" in self.splits and self._samples.train.times is not None:
            return self._only(self.splits["holdout"]), self
        is_last = self._samples.folds == self._samples.folds.max()
        return self.take(is_last), self.take(~is_last)

    def _only(self, part: SplitPredictions) -> CandidateEvaluation:
        taken = copy(self)
        taken.splits = {CV: part}
        taken._samples = self._samples._replace(cv=part.samples, positions=None)
        vars(taken).pop("cv_loss", None)  # cached for all samples
        return taken

    @property
    def is_within(self) -> bool:
        """Whether all limits hold."""
        return all(limit.holds for limit in self.limits)

    def check_deployable(self) -> None:
        """Raise ValueError if there is no fitted model, as of a constant prediction."""
        if self.fit.model is None:
            label = self._samples.train.classes[self.out_of_fold.codes[0]]
            raise ValueError(
                f"no model is better than a constant: always predict {label}"
            )

    def deployed(self, **attributes: Any) -> Model:
        """Return the deployable model, with its decision rule and further attributes."""
        samples = self._samples.train
        model = self.fit.model
        decision = model.decision
        if not self._has_thresholds and hasattr(model, "predict_proba"):
            # The outermost thresholds must lie beyond all training scores.
            has_score = model.calibration is not None
            scores = model.decision_function(samples.X) if has_score else None
            referral = self._criteria.referral
            decision = model.scorer.decision(self.costs, referral, scores)
            if self._row_costs is not None:
                decision = LeastCost(None, referral, self._row_costs)
        elif self._criteria.referral is not None:
            # No row needs a review: the ranges of the score are those of the classes.
            cuts, codes = (part.tolist() for part in decision.breakpoints)
            ranges = structs.replace(
                self._criteria.referral, thresholds=cuts, codes=codes
            )
            decision = replace(decision, referral=ranges)
        monotone = dict(samples.directions) if self.is_monotone else {}
        return model.replace(
            classes_=samples.classes, decision=decision, monotone=monotone, **attributes
        )

    def confusion(self) -> pd.DataFrame:
        """Compute the cross-validated confusion matrix: true classes by answers."""
        tested, predictions, _ = self.splits[CV]
        labels = answers(tested.classes, self._criteria.referral)
        return pd.DataFrame(
            confusion_of(tested, predictions.codes, len(labels)),
            pd.Index(tested.classes, name="true"),
            pd.Index(labels, name="predicted"),
        )

    def loss(
        self, samples: Samples, predictions: Predictions, folds: Integers | None = None
    ) -> tuple[float, Floats]:
        """Compute the loss of predictions, and the influence (u,) of each cluster on it."""
        criteria = self._criteria.for_samples(samples)
        codes = samples.codes
        weights = samples.sample_weight_or_ones
        # A constant prediction ranks at random: only its cost is measured.
        measured = (
            replace(criteria, ranking=np.zeros(4)) if self.name == TRIVIAL else criteria
        )
        loss, influence = measured.losses(
            codes, predictions.codes, predictions.scores, weights, folds, samples.units
        )
        loss += criteria.chance_loss(codes, weights) - measured.chance_loss(
            codes, weights
        )
        if self._criteria.has_priors:
            # With known class shares, the loss varies within classes only (stratification).
            influence = influence - class_means(samples, influence)
        positions = self._samples.positions
        if positions is not None:
            # Predictions of overlapping test folds are averaged: a sample is one observation.
            samples = self._samples.cv
            influence = np.bincount(positions, influence) / np.bincount(positions)
        return loss, samples.sum_by_cluster(influence)

    def excess_costs(self, units: Integers) -> Floats:
        """Compute the excess cost of each cluster (u,) if some clusters set the class shares."""
        tested = self._samples.cv
        predictions = self.fit.cv
        criteria = self._criteria.for_samples(tested)
        usual_costs = self._costs_for(tested)
        if criteria.metric is None:
            shares = tested.sum_by_cluster(np.eye(tested.n_classes)[:, tested.codes])
            ratios = shares[:, units].mean(axis=1) / shares.mean(axis=1)
            costs = usual_costs * ratios[:, None]
        elif predictions.proba is None or self._criteria.limits:
            return np.zeros(tested.n_units)
        else:  # the costs that optimise a metric are chosen on these clusters alone
            rows = np.isin(tested.units, units)
            costs = criteria.solved_costs(tested.take(rows), predictions.proba[rows])
        # Decisions for these class shares, less the decisions for all samples. A metric is
        # linearised at the confusion matrix of either.
        weights = tested.sample_weight_or_ones
        measured = replace(criteria, ranking=np.zeros(4))
        changed, usual = (
            np.add(
                *measured.losses(tested.codes, decided.codes, predictions.scores, weights)
            )
            for decided in map(predictions.with_decision, (costs, usual_costs))
        )
        return tested.sum_by_cluster(changed - usual)

    def measures(self, objectives: Sequence[Objective]) -> pd.DataFrame:
        """Measure the objectives on each split, of predicted classes without the reject option."""
        rows = {}
        for split, (samples, predictions, folds) in self.splits.items():
            square = None
            if self._criteria.referral is not None:
                square = self._costs_for(samples)[..., : len(self.costs)]
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
