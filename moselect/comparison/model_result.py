"""What became of the models of a comparison, how they decide, and what mistakes cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from moselect._types import Integers
from moselect._validation import require_samples
from moselect.decision import Costs
from moselect.decision.differences import behind_best, behind_words, cost_errors
from moselect.decision.goal import Goal
from moselect.decision.kinds import NEAR
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
    samples: Samples,
    folds: Folds,
    results: Mapping[str, ModelResult],
    costs: Costs,
) -> pd.DataFrame:
    """Return mean costs and what models cost more than the cheapest, ascending.

    A sample counts once, however often it is held out. ``behind`` is a share of the least
    cost, paired by sample, with its 95 % interval: the test of `moselect.decision`.
    """
    tested, rows = folds.held_out, np.concatenate([test for _, test in folds])
    held_out, times = samples.take(tested), np.bincount(rows)
    weights = held_out.class_weights
    if costs.priors is not None:
        needed, what = np.asarray(costs.priors) > 0.0, "the cost under these priors"
        require_samples(weights[needed], samples.classes[needed], what)
    matrix, losses, found = costs.in_use(weights), {}, {}
    dearest = Goal(matrix).dearest(held_out)
    for name, result in results.items():
        predicted = result.decide(folds, samples, costs)
        paid = matrix[samples.codes[rows], np.concatenate(predicted)]
        each = np.bincount(rows, paid)[tested] / times[tested]
        mean = float(np.average(each, weights=held_out.weights))
        losses[name] = mean, held_out.of_units(each - mean)
        found[name] = mean, float(cost_errors(losses[name][1], dearest))
    table = pd.DataFrame.from_dict(found, "index", columns=["cost", "standard error"])
    table = table.join(behind_best(losses, by_cost=True)).rename_axis("model")
    return table.sort_values("cost", kind="stable")


def cost_verdict(table: pd.DataFrame) -> str:
    """Return in one sentence which model costs least, and the simplest of about its cost.

    Examples
    --------
    >>> costs = {"cost": [1.0, 1.02], "behind": [0.0, 0.02], "behind low": [0.0, -0.01]}
    >>> costs |= {"behind high": [0.0, 0.05], "terms": [np.nan, 9.0]}
    >>> cost_verdict(pd.DataFrame(costs, ["pool", "line"]))
    'pool costs least; simplest within 5 %: line, 9 terms, costs 2 % more (-1 to 5 %)'
    """
    cheapest = str(table.index[0])
    near = table[table["cost"] <= (1.0 + NEAR) * table["cost"].iloc[0]]["terms"].dropna()
    if near.empty or near.idxmin() == cheapest:
        return f"{cheapest} costs least"
    simplest = str(near.idxmin())
    more = behind_words(table.loc[[simplest]].iloc[0])
    return (
        f"{cheapest} costs least; simplest within {100 * NEAR:g} %: {simplest}, "
        f"{near.min():g} terms, costs {more}"
    )
