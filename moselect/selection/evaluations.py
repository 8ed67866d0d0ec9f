"""Candidates evaluated under the same criteria: losses, figures and selection."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from moselect._types import Booleans, Floats, Integers
from moselect.learning import CV, Fitted
from moselect.metrics.decision_metrics import DecisionMetric
from moselect.metrics.decisions import answers
from moselect.samples.samples import Samples
from moselect.selection.choice import (
    TRIVIAL,
    Choice,
    PairedDifference,
    Resampled,
    choose_candidate,
    loss_difference,
    resampled_selection,
)
from moselect.selection.decision_loss import LOWEST, DecisionLoss, confusion_of
from moselect.selection.evaluation import CandidateEvaluation, SplitPredictions, Splits
from moselect.selection.standard_errors import cost_errors, typical_weights

# Two estimates that differ by more standard errors are both reported.
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


@dataclass(frozen=True, eq=False)
class Evaluations:
    """Candidates and baselines, evaluated on the same samples under the same criteria.

    Attributes as in `Evidence`.
    """

    criteria: DecisionLoss
    splits: Splits
    evaluations: Mapping[str, CandidateEvaluation]

    @classmethod
    def of(
        cls, fits: Mapping[str, Fitted], criteria: DecisionLoss, splits: Splits
    ) -> Self:
        """Evaluate fitted candidates and baselines under the same criteria."""
        evaluations = {
            name: CandidateEvaluation(name, fit, criteria, splits)
            for name, fit in fits.items()
        }
        return cls(criteria, splits, evaluations)

    def only(self, *names: str) -> Self:
        """Return the evidence of some candidates alone."""
        return replace(self, evaluations={name: self.evaluations[name] for name in names})

    def take(self, rows: Integers) -> Self:
        """Return the out-of-fold predictions of some samples, for figures on demand."""
        taken = {name: each.take(rows) for name, each in self.evaluations.items()}
        return replace(self, evaluations=taken)

    @cached_property
    def samples(self) -> Samples:
        """True classes, weights and groups of the out-of-fold predictions, without features."""
        tested = self._tested.samples
        X = np.empty((len(tested), 0))
        return replace(tested, X=X, copy_groups=tested.cv_groups)

    @property
    def folds(self) -> NDArray[np.int64]:
        """Test fold (n,) of each out-of-fold prediction."""
        return np.asarray(self._tested.folds)

    @property
    def _tested(self) -> SplitPredictions:
        """Samples, predictions and folds of any one candidate, out of fold."""
        return next(iter(self.evaluations.values())).splits[CV]

    @property
    def predicted_codes(self) -> dict[str, Integers]:
        """Predicted class codes (n,) by candidate or baseline; r for referred samples."""
        return {name: each.out_of_fold.codes for name, each in self.evaluations.items()}

    @property
    def predicted(self) -> pd.DataFrame:
        """Out-of-fold predictions of each candidate or baseline, indexed by row of the table."""
        labels = answers(self.samples.classes, self.criteria.referral)
        classes = {name: labels[codes] for name, codes in self.predicted_codes.items()}
        return pd.DataFrame(classes, index=self.samples.rows)

    @property
    def probabilities(self) -> dict[str, Floats]:
        """Out-of-fold class probabilities (n, r) of each candidate that has any."""
        return {
            name: each.out_of_fold.proba
            for name, each in self.evaluations.items()
            if each.out_of_fold.proba is not None
        }

    @property
    def metric(self) -> DecisionMetric | None:
        """Metric that the model was selected for, if any."""
        return self.criteria.metric

    @property
    def value(self) -> str:
        """Criterion of the comparison.

        ``"cost"``, the mean cost per sample, lower is better; the name of a metric, such as
        ``"quadratic_kappa"``; or ``"utility"``, the weighted gain above chance, in units of
        the front's greatest training gain in each objective, higher is better.
        """
        if self.metric is not None:
            return self.metric.name
        return "cost" if self.criteria.by_cost else "utility"

    @property
    def losses(self) -> dict[str, tuple[float, Floats]]:
        """Cross-validated loss of each candidate, and the influence (u,) of each cluster on it."""
        return {name: each.cv_loss for name, each in self.evaluations.items()}

    def figure(self, name: str) -> tuple[float, float]:
        """Return the cross-validated loss of a candidate, and its standard error."""
        # A model that refers all of these rows may decide others; a constant one does not.
        codes = LOWEST
        if name == TRIVIAL or self.metric is not None:
            codes = self.evaluations[name].out_of_fold.codes
        return self._figure(*self.losses[name], codes)

    def value_of(self, loss: Any) -> Any:
        """Convert a loss to the reported value: cost, metric, or gain above chance."""
        if self.metric is not None:
            return self.metric.value(loss)
        if self.criteria.by_cost:
            return loss
        samples = self.splits.train
        weights = samples.sample_weight_or_ones
        return self.criteria.chance_loss(samples.codes, weights) - loss

    def selection(
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
        if not self.criteria.by_cost:
            scale = self.value_of(min(shown[name] for name in within))

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

        For a metric they depend on the other predictions, by default of the best candidate.
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

    def excess_over(self, other: Evaluations, name: str) -> PairedDifference | None:
        """Estimate the excess loss of a candidate over its evaluation in ``other``, paired."""
        _, max_cost = self.unobserved_mistake()
        saved = loss_difference(
            self.losses[name], other.losses[name], self.criteria.by_cost, max_cost
        )
        if saved is None:
            return None
        estimate, error, low, high = saved
        return PairedDifference(-estimate, error, -high, -low)

    def latest_fold(self, name: str) -> LatestFold | None:
        """Evaluate a candidate on the last fold, compared with the earlier folds.

        None if it is undefined there, as a ranking without some class.
        """
        evaluation = self.evaluations[name]
        folds = self.splits.folds

        def figure(rows: Booleans) -> tuple[float, float]:
            part = evaluation.splits[CV].take(rows)
            return self._figure(
                *evaluation.loss(*part), part.predictions.codes, part.samples
            )

        is_last = folds == folds.max()
        loss, error = figure(is_last)
        earlier, earlier_error = figure(~is_last)
        if math.isnan(loss + earlier):
            return None
        differs = abs(loss - earlier) > MIN_Z * math.hypot(error, earlier_error)
        return LatestFold(self.value_of(loss), error, differs)

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
