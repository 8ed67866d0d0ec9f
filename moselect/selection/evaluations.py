"""Evaluate all candidates under the same criteria and select one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from moselect._types import Booleans, Floats, Integers
from moselect.learning import Fitted, Predictions
from moselect.metrics.objective import Objective
from moselect.metrics.referral import answers
from moselect.samples.samples import Samples
from moselect.selection.choice import (
    TRIVIAL,
    Choice,
    Resampled,
    choose_candidate,
    resampled_selection,
)
from moselect.selection.decision_loss import (
    LOWEST,
    SelectionCriteria,
    confusion_of,
)
from moselect.selection.differences import (
    EXCESS,
    PairedDifference,
    excess_over_best,
    loss_difference,
)
from moselect.selection.evaluation import PLACES, CandidateEvaluation, Parts
from moselect.selection.evidence import CV, Evidence, LatestFold
from moselect.selection.evidence_figures import ERROR
from moselect.selection.standard_errors import cost_errors, typical_weights

WITHIN, MONOTONE = "within limits", "monotone"
COLUMNS = (
    *(CV, ERROR, *EXCESS, WITHIN, MONOTONE),
    *(*PLACES[1:], "terms", "seconds"),
)
# standard errors between two estimates, from which both are reported
FAR = 2.0


class CandidateEvaluations:
    """Candidates and baselines, evaluated on the same samples under the same criteria.

    Parameters
    ----------
    fits : mapping of str to Fitted
        Fitted candidates and baselines.
    question : SelectionCriteria
        Selection criteria.
    parts : Parts
        Samples of the splits.

    Attributes
    ----------
    decided : dict of str to CandidateEvaluation
        Evaluation of each.
    losses : dict of str to (float, ndarray of shape (u,))
        Cross-validated loss of each, and the influence of each cluster on it.
    """

    def __init__(
        self, fits: Mapping[str, Fitted], criteria: SelectionCriteria, parts: Parts
    ) -> None:
        self.criteria, self._parts = criteria, parts
        self._metric = criteria.goal.metric
        self._by_cost = criteria.costs is not None and self._metric is None
        samples = parts.samples
        self._chance = criteria.goal.chance_loss(
            samples.codes, samples.sample_weight_or_ones
        )
        self.decided = {
            name: CandidateEvaluation(name, fit, criteria, parts)
            for name, fit in fits.items()
        }
        self.losses = {
            name: decided.loss(*decided.said[CV])
            for name, decided in self.decided.items()
        }

    @property
    def measure(self) -> str:
        """Name of the measure that the candidates are compared by."""
        if self._metric is not None:
            return self._metric.name
        return "cost" if self._by_cost else "utility"

    def figure(self, name: str) -> tuple[float, float]:
        """Return the cross-validated loss of a candidate, and its standard error."""
        # A model that refers all of these rows may decide others; a constant one does not.
        codes = LOWEST
        if name == TRIVIAL or self._metric is not None:
            codes = self.decided[name].new_data.codes
        return self._figure(*self.losses[name], codes)

    def value(self, loss: Any) -> Any:
        """Convert a loss to the reported value: cost, metric, or gain above chance."""
        if self._metric is not None:
            return self._metric.value(loss)
        return loss if self._by_cost else self._chance - loss

    def select(
        self, eligible: list[str], choice: Choice, by_shares: bool
    ) -> tuple[str, Resampled]:
        """Select a candidate, and estimate losses corrected for selection bias.

        Candidates that meet their limits take precedence. ``by_shares``: whether
        decisions depend on the class shares in the data.
        """
        within, best = self._within(eligible), self._within(self.losses)
        shown = {name: loss for name, (loss, _) in self.losses.items()}
        # Cost differences are relative; for utilities, the best utility is the scale.
        scale = 0.0
        if not self._by_cost:
            scale = self.value(min(shown[name] for name in within))

        def select(losses: Mapping[str, float]) -> str:
            return choose_candidate(
                {name: losses[name] for name in within}, choice, scale
            )

        def paid(units: Integers) -> dict[str, Floats]:
            """Compute losses (u,) by candidate if some clusters set the class shares."""
            return {
                name: np.add(*sum_by_cluster)
                + (self.decided[name].dearer(units) if by_shares else 0.0)
                for name, sum_by_cluster in self.losses.items()
            }

        resampled = resampled_selection(
            paid,
            self._parts.tested,
            select,
            lambda losses: choose_candidate({name: losses[name] for name in best}),
        )
        return select(shown), resampled

    def _within(self, names: Iterable[str]) -> list[str]:
        """Return the names of candidates that meet all limits, or all names if none does."""
        within = [name for name in names if self.decided[name].is_within]
        return within or list(names)

    def _dearest(
        self, predicted: Integers = LOWEST, samples: Samples | None = None
    ) -> float:
        """Compute the loss from one further mistake of maximum cost.

        For a metric it depends on the other predictions, by default the best ones.
        """
        tested, criteria = samples or self._parts.tested, self.criteria
        if self._metric is not None and predicted is LOWEST:
            best = min(self.losses, key=lambda name: self.losses[name][0])
            predicted = self.decided[best].new_data.codes
        return criteria.goal.max_cost(tested, predicted, criteria.ratios)

    def leave_out(self, name: str) -> None:
        """Drop a candidate or baseline from the evidence."""
        del self.decided[name], self.losses[name]

    def candidates(self, resampled: Resampled) -> pd.DataFrame:
        """Tabulate values, excess over the best, terms and seconds of each candidate.

        The best is one that meets all limits, if any does; candidates outside the limits
        have no excess.
        """
        rows = {}
        for name, decided in self.decided.items():
            loss, error = self.figure(name)
            rows[name] = {CV: loss, ERROR: error}
            for place, said in decided.said.items():
                if place != CV:
                    rows[name][place] = decided.loss(*said)[0]
            rows[name] |= {"terms": decided.fit.terms, "seconds": decided.fit.seconds}
            if self.criteria.limits:
                rows[name][WITHIN] = decided.is_within
            if self._parts.samples.directions:
                rows[name][MONOTONE] = decided.is_monotone
        within = {name: self.losses[name] for name in self._within(self.losses)}
        candidates = pd.DataFrame.from_dict(rows, orient="index")
        candidates = candidates.join(
            excess_over_best(within, self._by_cost, self._dearest(), resampled)
        )
        candidates = candidates[[name for name in COLUMNS if name in candidates]]
        for place in {*PLACES} & {*candidates}:
            candidates[place] = self.value(candidates[place])
        is_error = self._by_cost or (self._metric is not None and self._metric.is_error)
        candidates = candidates.sort_values(CV, ascending=is_error, kind="stable")
        return candidates.rename(columns={CV: self.measure})

    def differences(
        self, selected: str, resampled: Resampled
    ) -> dict[str, PairedDifference]:
        """Estimate paired differences between the selected candidate and each other."""
        differences = {}
        for name, baseline in self.losses.items():
            apart = resampled.selected, resampled.losses[name]
            rule, max_cost = self.losses[selected], self._dearest()
            saved = loss_difference(rule, baseline, self._by_cost, max_cost, apart)
            if name != selected and saved is not None:
                differences[name] = saved
        return differences

    def beside(
        self, other: CandidateEvaluations, name: str, free: str
    ) -> PairedDifference | None:
        """Estimate the excess loss of a candidate over one of ``other``, paired."""
        saved = loss_difference(
            self.losses[name], other.losses[free], self._by_cost, self._dearest()
        )
        if saved is None:
            return None
        estimate, error, low, high = saved
        return PairedDifference(-estimate, error, -high, -low)

    def latest(self, name: str) -> LatestFold | None:
        """Evaluate a candidate on the last fold, compared with the earlier folds.

        None if it is undefined there, as a ranking without some class.
        """
        decided, folds = self.decided[name], self._parts.folds
        tested, responses, _ = decided.said[CV]

        def figure(rows: Booleans) -> tuple[float, float]:
            part = Predictions(responses.codes[rows], responses.scores[rows], None)
            samples = tested.take(rows)
            loss = decided.loss(samples, part, folds[rows])
            return self._figure(*loss, part.codes, samples)

        is_last = folds == folds.max()
        loss, error = figure(is_last)
        earlier, its_error = figure(~is_last)
        if math.isnan(loss + earlier):
            return None
        differs = abs(loss - earlier) > FAR * math.hypot(error, its_error)
        return LatestFold(self.value(loss), error, differs)

    def evidence(
        self,
        selected: str,
        resampled: Resampled,
        objectives: Sequence[Objective],
        **further: Any,
    ) -> Evidence:
        """Assemble the evidence for the selected candidate."""
        chosen, tested = self.decided[selected], self._parts.tested
        responses = {name: decided.new_data for name, decided in self.decided.items()}
        called = answers(tested.classes, self.criteria.referral)
        predicted = {name: called[said.codes] for name, said in responses.items()}
        proba = {
            name: said.proba for name, said in responses.items() if said.proba is not None
        }
        loss, error = self.figure(selected)
        costs, corrected = self.criteria.costs, resampled.selected
        if costs is not None and self._metric is not None:
            costs = replace(costs, matrix=chosen.costs)
            counts = confusion_of(tested, chosen.new_data.codes, tested.n_classes)
            corrected += self._metric.unseen(counts, typical_weights(tested))[0]
        return Evidence(
            selected=selected,
            value=self.measure,
            expected=self.value(corrected),
            expected_se=float(np.hypot(error, corrected - loss)),
            candidates=self.candidates(resampled),
            differences=self.differences(selected, resampled),
            objectives=chosen.objectives(objectives),
            predicted=pd.DataFrame(predicted, index=tested.rows),
            samples=replace(
                tested, X=np.empty((len(tested), 0)), copy_groups=tested.cv_groups
            ),
            probabilities=proba,
            folds=self._parts.folds,
            confusion=chosen.confusion(),
            costs=costs,
            preferences=self.criteria.preferences,
            limits=chosen.reached,
            **further,
        )

    def _figure(
        self,
        loss: float,
        influence: Floats,
        predicted: Integers,
        samples: Samples | None = None,
    ) -> tuple[float, float]:
        samples = samples or self._parts.tested
        errors = cost_errors(influence, self._dearest(predicted, samples), samples)
        return loss, float(errors)
