"""What became of the models of a comparison, how they decide, and what mistakes cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from moselect._types import Integers
from moselect._validation import require_samples
from moselect.decision import Costs
from moselect.decision.differences import cost_table
from moselect.decision.goal import Goal
from moselect.folds import Folds
from moselect.learning import HeldOut
from moselect.metrics.probability import least_expected_cost
from moselect.samples import Samples

FITTED, PLUG_IN, AS_IS = "fitted", "plug-in", "as it is"


@dataclass(frozen=True, eq=False)
class ModelResult:
    """What became of one model.

    Attributes
    ----------
    description : str
        Class and changed parameters of the estimator.
    held_out : tuple of HeldOut
        What it says about the samples held out, fold by fold; empty if it failed in any.
    failure : str, optional
        Why it failed, in one line.
    for_costs : bool
        Whether it was fitted for costs: those of the comparison, or its own.

    Examples
    --------
    >>> ModelResult("LogisticRegression()", failure="y has one class only").failure
    'y has one class only'
    """

    description: str
    held_out: tuple[HeldOut, ...] = ()
    failure: str | None = None
    for_costs: bool = False

    @property
    def decision(self) -> str:
        """How it decides: as fitted for costs, by its probabilities, or as it is."""
        if self.for_costs:
            return FITTED
        return PLUG_IN if all(part.proba is not None for part in self.held_out) else AS_IS

    def decide(self, folds: Folds, samples: Samples, costs: Costs) -> list[Integers]:
        """Return the classes that it decides for in each fold.

        Priors count by the shares of the classes in what a fold was fitted to.
        """
        if self.decision != PLUG_IN:
            return [part.predicted for part in self.held_out]
        matrices = (costs.in_use(samples.take(train).class_weights) for train, _ in folds)
        return [
            least_expected_cost(part.proba, matrix)  # type: ignore[arg-type]
            for part, matrix in zip(self.held_out, matrices, strict=True)
        ]


def compare_costs(
    samples: Samples, folds: Folds, results: Mapping[str, ModelResult], costs: Costs
) -> pd.DataFrame:
    """Return what mistakes of models that did not fail cost, as `cost_table`.

    A sample counts once, however often it is held out.
    """
    tested, rows = folds.held_out, np.concatenate([test for _, test in folds])
    held_out, times = samples.take(tested), np.bincount(rows)[tested]
    weights = held_out.class_weights
    if costs.priors is not None:
        needed, what = np.asarray(costs.priors) > 0.0, "the cost under these priors"
        require_samples(weights[needed], samples.classes[needed], what)
    goal, paid, dearest = Goal(costs.in_use(weights)), {}, {}
    for name, result in results.items():
        if result.failure:
            continue
        predicted = np.concatenate(result.decide(folds, samples, costs))
        totals = np.bincount(rows, goal.costs[samples.codes[rows], predicted])
        paid[name] = totals[tested] / times
        dearest[name] = goal.dearest(held_out, predicted, costs.ratios(weights))
    return cost_table(paid, held_out, dearest)
