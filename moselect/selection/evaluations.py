"""Evaluate all candidates under the same criteria and select one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import pandas as pd

from moselect._types import Booleans, Floats, Integers
from moselect.learning import Fitted, Predictions
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
    DecisionLoss,
    confusion_of,
)
from moselect.selection.differences import (
    EXCESS,
    PairedDifference,
    excess_over_best,
    loss_difference,
)
from moselect.selection.evaluation import CV, ERROR, SPLITS, CandidateEvaluation, Splits
from moselect.selection.standard_errors import cost_errors, typical_weights

WITHIN = "within limits"
MONOTONE = "monotone"
COLUMNS = (
    *(CV, ERROR, *EXCESS, WITHIN, MONOTONE),
    *(*SPLITS[1:], "terms", "seconds"),
)
# Difference of two estimates, in standard errors, from which both are reported.
MIN_Z = 2.0


class LatestFold(NamedTuple):
    """Value of a candidate in the last of several forward-chaining folds.

    Examples
    --------
    >>> LatestFold(value=1.25, std_error=0.06, differs=True).differs
    True
    """

    value: float
    std_error: float
    differs: bool


class CandidateEvaluations:
    """Candidates and baselines, evaluated on the same samples under the same criteria.

    Parameters
    ----------
    fits : mapping of str to Fitted
        Fitted candidates and baselines.
    criteria : DecisionLoss
        Selection criteria.
    splits : Splits
        Samples of the splits.

    Attributes
    ----------
    evaluations : dict of str to CandidateEvaluation
        Evaluation of each.
    losses : dict of str to (float, ndarray of shape (u,))
        Cross-validated loss of each, and the influence of each cluster on it.
    """

    def __init__(
        self, fits: Mapping[str, Fitted], criteria: DecisionLoss, splits: Splits
    ) -> None:
        self.criteria = criteria
        self.splits = splits
        self.metric = criteria.metric
        self._by_cost = criteria.by_cost
        samples = splits.train
        self._chance = criteria.chance_loss(samples.codes, samples.sample_weight_or_ones)
        self.evaluations = {
            name: CandidateEvaluation(name, fit, criteria, splits)
            for name, fit in fits.items()
        }
        self.losses = {
            name: evaluation.loss(*evaluation.splits[CV])
            for name, evaluation in self.evaluations.items()
        }

    @property
    def measure(self) -> str:
        """Name of the measure that the candidates are compared by."""
        if self.metric is not None:
            return self.metric.name
        return "cost" if self._by_cost else "utility"

    def figure(self, name: str) -> tuple[float, float]:
        """Return the cross-validated loss of a candidate, and its standard error."""
        # A model that refers all of these rows may decide others; a constant one does not.
        codes = LOWEST
        if name == TRIVIAL or self.metric is not None:
            codes = self.evaluations[name].out_of_fold.codes
        return self._figure(*self.losses[name], codes)

    def value(self, loss: Any) -> Any:
        """Convert a loss to the reported value: cost, metric, or gain above chance."""
        if self.metric is not None:
            return self.metric.value(loss)
        return loss if self._by_cost else self._chance - loss

    def select(
        self, eligible: list[str], choice: Choice, by_shares: bool
    ) -> tuple[str, Resampled]:
        """Select a candidate, and estimate losses corrected for selection bias.

        Candidates that meet their limits take precedence. ``by_shares``: whether
        decisions depend on the class shares in the data.
        """
        within = self._within(eligible)
        best = self._within(self.losses)
        shown = {name: loss for name, (loss, _) in self.losses.items()}
        # Cost differences are relative; for utilities, the best utility is the scale.
        scale = 0.0
        if not self._by_cost:
            scale = self.value(min(shown[name] for name in within))

        def select(losses: Mapping[str, float]) -> str:
            return choose_candidate(
                {name: losses[name] for name in within}, choice, scale
            )

        def cluster_losses(units: Integers) -> dict[str, Floats]:
            """Compute losses (u,) by candidate if some clusters set the class shares."""
            return {
                name: loss
                + influence
                + (self.evaluations[name].excess_costs(units) if by_shares else 0.0)
                for name, (loss, influence) in self.losses.items()
            }

        resampled = resampled_selection(
            cluster_losses,
            self.splits.cv,
            select,
            lambda losses: choose_candidate({name: losses[name] for name in best}),
        )
        return select(shown), resampled

    def _within(self, names: Iterable[str]) -> list[str]:
        """Return the names of candidates that meet all limits, or all names if none does."""
        within = [name for name in names if self.evaluations[name].is_within]
        return within or list(names)

    def unobserved_mistake(
        self, predicted: Integers = LOWEST, samples: Samples | None = None
    ) -> tuple[float, float]:
        """Estimate bias and error of a loss by one further mistake of maximum cost.

        For a metric they depend on the other predictions, by default those of the best
        candidate.
        """
        tested = samples or self.splits.cv
        if self.metric is None:
            return 0.0, self.criteria.max_cost(tested, predicted)
        if predicted is LOWEST:
            best = min(self.losses, key=lambda name: self.losses[name][0])
            predicted = self.evaluations[best].out_of_fold.codes
        counts = confusion_of(
            samples or self.splits.predicted, predicted, tested.n_classes
        )
        return self.metric.unseen(counts, typical_weights(tested))

    def leave_out(self, name: str) -> None:
        """Drop a candidate or baseline from the evidence."""
        del self.evaluations[name]
        del self.losses[name]

    def candidates(self, resampled: Resampled) -> pd.DataFrame:
        """Tabulate values, excess over the best, terms and seconds of each candidate.

        The best is one that meets all limits, if any does; candidates outside the limits
        have no excess.
        """
        rows = {}
        for name, evaluation in self.evaluations.items():
            fit = evaluation.fit
            rows[name] = {
                split: evaluation.loss(*predicted)[0]
                for split, predicted in evaluation.splits.items()
                if split != CV
            }
            rows[name][CV], rows[name][ERROR] = self.figure(name)
            rows[name] |= {"terms": fit.terms, "seconds": fit.seconds}
            if self.criteria.limits:
                rows[name][WITHIN] = evaluation.is_within
            if self.splits.train.directions:
                rows[name][MONOTONE] = evaluation.is_monotone
        within = {name: self.losses[name] for name in self._within(self.losses)}
        candidates = pd.DataFrame.from_dict(rows, orient="index")
        candidates = candidates.join(
            excess_over_best(
                within, self._by_cost, self.unobserved_mistake()[1], resampled
            )
        )
        candidates = candidates[[name for name in COLUMNS if name in candidates]]
        for split in {*SPLITS} & {*candidates}:
            candidates[split] = self.value(candidates[split])
        is_error = self._by_cost or (self.metric is not None and self.metric.is_error)
        candidates = candidates.sort_values(CV, ascending=is_error, kind="stable")
        return candidates.rename(columns={CV: self.measure})

    def differences(
        self, selected: str, resampled: Resampled
    ) -> dict[str, PairedDifference]:
        """Estimate paired differences between the selected candidate and each other."""
        loss = self.losses[selected]
        _, max_cost = self.unobserved_mistake()
        differences = {}
        for name, baseline in self.losses.items():
            means = resampled.selected, resampled.losses[name]
            saved = loss_difference(loss, baseline, self._by_cost, max_cost, means)
            if name != selected and saved is not None:
                differences[name] = saved
        return differences

    def excess_over(
        self, other: CandidateEvaluations, name: str
    ) -> PairedDifference | None:
        """Estimate the excess loss of a candidate over its evaluation in ``other``, paired."""
        _, max_cost = self.unobserved_mistake()
        saved = loss_difference(
            self.losses[name], other.losses[name], self._by_cost, max_cost
        )
        if saved is None:
            return None
        estimate, error, low, high = saved
        return PairedDifference(-estimate, error, -high, -low)

    def latest(self, name: str) -> LatestFold | None:
        """Evaluate a candidate on the last fold, compared with the earlier folds.

        None if it is undefined there, as a ranking without some class.
        """
        evaluation = self.evaluations[name]
        folds = self.splits.folds
        tested, predictions, _ = evaluation.splits[CV]

        def figure(rows: Booleans) -> tuple[float, float]:
            part = Predictions(predictions.codes[rows], predictions.scores[rows], None)
            samples = tested.take(rows)
            loss = evaluation.loss(samples, part, folds[rows])
            return self._figure(*loss, part.codes, samples)

        is_last = folds == folds.max()
        loss, error = figure(is_last)
        earlier, earlier_error = figure(~is_last)
        if math.isnan(loss + earlier):
            return None
        differs = abs(loss - earlier) > MIN_Z * math.hypot(error, earlier_error)
        return LatestFold(self.value(loss), error, differs)

    def _figure(
        self,
        loss: float,
        influence: Floats,
        predicted: Integers,
        samples: Samples | None = None,
    ) -> tuple[float, float]:
        _, max_cost = self.unobserved_mistake(predicted, samples)
        errors = cost_errors(influence, max_cost, samples or self.splits.cv)
        return loss, float(errors)
