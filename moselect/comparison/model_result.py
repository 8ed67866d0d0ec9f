"""Results of single models in a comparison: predictions, decision rules and costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from moselect._types import Integers
from moselect.learning import FoldPredictions
from moselect.metrics import Costs
from moselect.metrics.probability import least_expected_cost
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.samples.validation import require_samples
from moselect.selection.decision_loss import DecisionLoss
from moselect.selection.differences import cost_table

FITTED, PLUG_IN, AS_IS = "fitted", "plug-in", "as it is"


@dataclass(frozen=True, eq=False)
class ModelResult:
    """Cross-validation result of one model.

    Attributes
    ----------
    description : str
        Class and changed parameters of the estimator.
    held_out : tuple of FoldPredictions
        Predictions for the test samples of each fold; empty if the model failed in any.
    failure : str, optional
        Reason of the failure, in one line.
    for_costs : bool
        Whether the model was fitted to costs, of the comparison or of its own.

    Examples
    --------
    >>> ModelResult("LogisticRegression()", failure="y has one class only").failure
    'y has one class only'
    """

    description: str
    held_out: tuple[FoldPredictions, ...] = ()
    failure: str | None = None
    for_costs: bool = False

    @property
    def decision(self) -> str:
        """Decision rule: fitted to the costs, plug-in of the probabilities, or as it is."""
        if self.for_costs:
            return FITTED
        return PLUG_IN if all(part.proba is not None for part in self.held_out) else AS_IS

    def decide(self, folds: Folds, samples: Samples, costs: Costs) -> list[Integers]:
        """Predict class codes of the test samples of each fold.

        Priors are relative to the class shares of each fold's training samples.
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
    """Compare the costs of models that did not fail, as `cost_table`.

    A sample counts once, however many test folds it is in.
    """
    tested, rows = folds.held_out, np.concatenate([test for _, test in folds])
    held_out, times = samples.take(tested), np.bincount(rows)[tested]
    weights = held_out.class_weights
    if costs.priors is not None:
        needed, what = np.asarray(costs.priors) > 0.0, "the cost under these priors"
        require_samples(weights[needed], samples.classes[needed], what)
    goal, paid, max_cost = DecisionLoss(costs.in_use(weights)), {}, {}
    for name, result in results.items():
        if result.failure:
            continue
        predicted = np.concatenate(result.decide(folds, samples, costs))
        totals = np.bincount(rows, goal.costs[samples.codes[rows], predicted])
        paid[name] = totals[tested] / times
        max_cost[name] = goal.max_cost(held_out, predicted, costs.ratios(weights))
    return cost_table(paid, held_out, max_cost)
