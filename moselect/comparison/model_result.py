"""Results of single models in a comparison: predictions, decision rules and costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.learning import FoldPredictions
from moselect.metrics import Costs
from moselect.metrics.decision_metrics import DecisionMetric, count_cells
from moselect.metrics.probability import least_expected_cost
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.samples.validation import require_samples
from moselect.selection.decision_loss import DecisionLoss
from moselect.selection.differences import cost_table
from moselect.selection.standard_errors import typical_weights

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

    def decide(self, folds: Folds, samples: Samples, costs: Costs) -> Integers:
        """Predict class codes of the test samples of all folds, one after the other.

        Priors are relative to the class shares of each fold's training samples. The costs
        that optimise a metric are the same for all folds.
        """
        if self.decision != PLUG_IN:
            return np.concatenate([part.predicted for part in self.held_out])
        if costs.metric is not None:
            matrices = [self.decision_costs(folds, samples, costs)] * len(folds)
        else:
            matrices = [
                costs.in_use(samples.take(train).class_weights) for train, _ in folds
            ]
        decided = [
            least_expected_cost(part.proba, matrix)  # type: ignore[arg-type]
            for part, matrix in zip(self.held_out, matrices, strict=True)
        ]
        return np.concatenate(decided)

    def decision_costs(self, folds: Folds, samples: Samples, costs: Costs) -> Floats:
        """Return the costs (r, r) of decisions; for a metric solved on all test samples."""
        goal = DecisionLoss.of(costs.resolve(samples.classes, samples.class_weights))
        if self.decision != PLUG_IN:
            return goal.costs
        rows, weights = tested_rows(folds, samples)
        proba = np.concatenate([part.proba for part in self.held_out])
        return goal.solved_costs(samples.codes[rows], weights, proba)


def tested_rows(folds: Folds, samples: Samples) -> tuple[Integers, Floats]:
    """Return the test rows of all folds, and weights by which each sample counts once."""
    rows = np.concatenate([test for _, test in folds])
    return rows, samples.sample_weight_or_ones[rows] / np.bincount(rows)[rows]


def compare_costs(
    samples: Samples, folds: Folds, results: Mapping[str, ModelResult], costs: Costs
) -> pd.DataFrame:
    """Compare the costs of models that did not fail, as `cost_table`.

    A sample counts once, however many test folds it is in.
    """
    tested, (rows, row_weights) = folds.held_out, tested_rows(folds, samples)
    held_out, times = samples.take(tested), np.bincount(rows)[tested]
    weights = held_out.class_weights
    if costs.priors is not None:
        needed, what = np.asarray(costs.priors) > 0.0, "the cost under these priors"
        require_samples(weights[needed], samples.classes[needed], what)
    codes, paid, max_cost = samples.codes[rows], {}, {}
    metric = costs.metric if isinstance(costs.metric, DecisionMetric) else None
    goal = DecisionLoss(costs.in_use(weights), metric=metric)
    for name, result in results.items():
        if result.failure:
            continue
        predicted, cells = result.decide(folds, samples, costs), goal.costs
        if metric is None:
            max_cost[name] = goal.max_cost(held_out, predicted, costs.ratios(weights))
        else:
            confusion = count_cells(codes, predicted, row_weights, len(cells))
            cells = metric.loss(confusion) + metric.influences(confusion)
            max_cost[name] = metric.unseen(confusion, typical_weights(held_out))[1]
        paid[name] = np.bincount(rows, cells[codes, predicted])[tested] / times
    return cost_table(paid, held_out, max_cost, metric)
