"""Candidates evaluated under the same criteria: losses, reported values and selection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.candidates.cross_validation import CV, SPLITS, Fitted
from moselect.candidates.splits import Splits
from moselect.costs.losses import confusion_of
from moselect.costs.priced import Priced
from moselect.evaluation.choice import (
    EXCESS,
    Choice,
    PairedDifference,
    choose_candidate,
    loss_difference,
    max_difference,
    resampled_selection,
)
from moselect.evaluation.decided import ERROR, Decided, decide

WITHIN = "within limits"
MONOTONE = "monotone"
COLUMNS = (CV, ERROR, *EXCESS, WITHIN, MONOTONE, *SPLITS[1:], "terms", "seconds")


@dataclass(frozen=True, eq=False)
class Evaluations(Mapping[str, Decided]):
    """Candidates and baselines by name, evaluated on the same samples under the same criteria.

    Attributes
    ----------
    criteria : Priced
        Costs or preferences, and limits.
    splits : Splits
        Samples of the splits.
    by_name : mapping of str to Decided
        Evaluation of each candidate.
    """

    criteria: Priced
    splits: Splits
    by_name: Mapping[str, Decided]

    @classmethod
    def of(cls, fits: Mapping[str, Fitted], criteria: Priced, splits: Splits) -> Self:
        """Evaluate fitted candidates and baselines under the same criteria."""
        return cls(criteria, splits, {}).including(fits)

    def __getitem__(self, name: str) -> Decided:
        return self.by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_name)

    def __len__(self) -> int:
        return len(self.by_name)

    def including(self, fits: Mapping[str, Fitted]) -> Self:
        """Evaluate further candidates, or the same ones fitted again."""
        evaluated = {
            name: decide(fit, self.criteria, self.splits) for name, fit in fits.items()
        }
        return replace(self, by_name={**self.by_name, **evaluated})

    def only(self, *names: str) -> Self:
        """Return the evaluations of some candidates alone."""
        return replace(self, by_name={name: self[name] for name in names})

    def take(self, rows: Integers) -> Self:
        """Return the out-of-fold predictions of some samples, for figures on demand."""
        by_name = {name: each.take(rows) for name, each in self.items()}
        splits = self.splits._replace(folds=self.splits.folds[rows])
        return replace(self, splits=splits, by_name=by_name)

    @property
    def folds(self) -> Integers:
        """Test fold (n,) of each out-of-fold prediction."""
        return self.splits.folds

    @property
    def n_folds(self) -> int:
        """Number of test folds."""
        return len(np.unique(self.folds))

    @property
    def predicted_codes(self) -> dict[str, Integers]:
        """Predicted class codes (n,) by candidate or baseline; r for referred samples."""
        return {name: each.out_of_fold.codes for name, each in self.items()}

    @property
    def value(self) -> str:
        """Criterion of the comparison.

        ``"cost"``, the mean cost per sample, lower is better; the name of a metric, such as
        ``"quadratic_kappa"``; or ``"utility"``, the weighted gain above chance, in units of
        the front's greatest training gain in each objective, higher is better.
        """
        if self.criteria.metric is not None:
            return self.criteria.metric.name
        return "cost" if self.criteria.loss.by_cost else "utility"

    @property
    def lower_is_better(self) -> bool:
        """Whether the criterion of the comparison is a cost or an error."""
        metric = self.criteria.metric
        return self.criteria.loss.by_cost if metric is None else metric.is_error

    def value_of(self, loss: Any) -> Any:
        """Convert a loss to the reported value: cost, metric, or gain above chance."""
        if self.criteria.metric is not None:
            return self.criteria.metric.value(loss)
        if self.criteria.loss.by_cost:
            return loss
        costs = self.criteria.cells
        return self.criteria.loss.of_constant(costs, self.splits.train) - loss

    @property
    def losses(self) -> dict[str, float]:
        """Cross-validated loss of each candidate."""
        return {name: each.cv_loss[0] for name, each in self.items()}

    def within(self, names: Iterable[str]) -> list[str]:
        """Return the names of candidates that meet all limits, or all names if none does."""
        within = [name for name in names if self[name].is_within]
        return within or list(names)

    def select(
        self,
        eligible: Iterable[str],
        choice: Choice = "cheapest",
        by_shares: bool = False,
    ) -> tuple[str, dict[str, float]]:
        """Select a candidate, and correct the losses of all for selection bias.

        Candidates that meet their limits take precedence. ``by_shares``: whether
        decisions depend on the class shares in the data.
        """
        losses = self.only(*self.within(eligible)).losses
        # Cost differences are relative; for utilities, the best utility is the scale.
        scale = 0.0
        if not self.criteria.loss.by_cost:
            scale = self.value_of(min(losses.values()))
        usual = {name: np.add(*each.cv_loss) for name, each in self.items()}
        excess = {name: each.excess_costs() for name, each in self.items() if by_shares}

        def cluster_losses(units: Integers) -> dict[str, Floats]:
            """Compute losses (u,) by candidate if some clusters set the class shares."""
            return usual | {name: usual[name] + of(units) for name, of in excess.items()}

        corrected, of_selection = resampled_selection(
            cluster_losses, self.splits.cv, [*losses], choice, scale
        )
        # The cheapest candidate cannot be expected to cost more than another one from which
        # it was selected. Its corrected loss is unbiased; the losses of others, which were
        # not selected, are known less well than the distance to it. The simplest candidate
        # may well cost more than the others.
        if choice == "cheapest":
            corrected |= {name: max(corrected[name], of_selection) for name in losses}
        selected = choose_candidate(losses, choice, scale)
        return selected, corrected | {selected: of_selection}

    def corrected(self, name: str, loss: float) -> tuple[float, float]:
        """Return a loss corrected for selection bias, and its standard error."""
        shown, error = self[name].figure()
        # Some metrics are biased in small samples; a mean cost is not.
        corrected = loss + self[name].unobserved_mistake()[0]
        return corrected, float(np.hypot(error, corrected - shown))

    def table(self, losses: Mapping[str, float]) -> pd.DataFrame:
        """Tabulate the candidates by corrected losses; see `Evidence.candidates`."""
        rows = {}
        # Of candidates with the same corrected loss, the one that is selected comes first.
        for name in sorted(self, key=self.losses.__getitem__):
            evaluation = self[name]
            row = {
                split: evaluation.loss(*predicted)[0]
                for split, predicted in evaluation.splits.items()
                if split != CV
            }
            row[CV], row[ERROR] = self.corrected(name, losses[name])
            row |= {"terms": evaluation.fit.terms, "seconds": evaluation.fit.seconds}
            if self.criteria.limits:
                row[WITHIN] = evaluation.is_within
            if self.splits.train.directions:
                row[MONOTONE] = evaluation.is_monotone
            rows[name] = row
        candidates = pd.DataFrame.from_dict(rows, orient="index")
        candidates = candidates.join(self._excess(losses))
        candidates = candidates[[name for name in COLUMNS if name in candidates]]
        for split in {*SPLITS} & {*candidates}:
            candidates[split] = self.value_of(candidates[split])
        is_ascending = self.lower_is_better
        candidates = candidates.sort_values(CV, ascending=is_ascending, kind="stable")
        return candidates.rename(columns={CV: self.value})

    def saving_over(
        self, baseline: str, name: str, losses: Mapping[str, float]
    ) -> PairedDifference | None:
        """Estimate the relative saving of a candidate over another, or the difference in loss.

        Paired by sample, with both ``losses`` corrected alike; see `loss_difference`.
        """
        codes = self[name].out_of_fold.codes
        others = self[baseline].out_of_fold.codes
        costs = self.criteria.in_use
        if self.criteria.metric is not None:
            counts = confusion_of(self[name].tested, codes, len(costs))
            costs = self.criteria.metric.influences(counts)
        return loss_difference(
            self[name].cv_loss,
            self[baseline].cv_loss,
            self.criteria.loss.by_cost,
            max_difference(self.criteria, costs, self.splits.cv, codes, others),
            losses[name] + self[name].unobserved_mistake()[0],
            losses[baseline] + self[baseline].unobserved_mistake()[0],
        )

    def _excess(self, losses: Mapping[str, float]) -> pd.DataFrame:
        """Compute the excess loss of each model within its limits over the best of them.

        Relative to the least cost (NaN if that is 0), or the difference in loss, in the columns
        `EXCESS`.
        """
        names = self.within(self)
        uncorrected = self.losses
        best = min(
            names,
            key=lambda name: (self.corrected(name, losses[name])[0], uncorrected[name]),
        )
        rows = {}
        for name in names:
            saved = self.saving_over(best, name, losses)
            rows[name] = [np.nan] * 3
            if saved is not None:
                rows[name] = [-saved.estimate, -saved.high, -saved.low]
        rows[best] = [0.0] * 3
        return pd.DataFrame.from_dict(rows, orient="index", columns=list(EXCESS))
