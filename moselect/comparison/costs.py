"""What the mistakes of each model cost, and how much more than those of the cheapest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect._validation import require_samples
from moselect.decision import Costs
from moselect.decision.differences import BEHIND, behind_best, cost_errors
from moselect.decision.goal import Goal
from moselect.decision.kinds import NEAR
from moselect.folds import Folds
from moselect.samples import Samples

TIMES = 2.0  # of the least cost, from which on it is said how many times as much


def matrix_in_use(costs: Costs, samples: Samples) -> Floats:
    """Return the cost matrix under which the mean over these samples is the cost in use."""
    masses = np.asarray(samples.class_weights, dtype=np.float64)
    if costs.priors is not None:
        needed = np.asarray(costs.priors) > 0.0
        require_samples(
            masses[needed], samples.classes[needed], "the cost under these priors"
        )
    return costs.in_use(masses)


def compare_costs(
    samples: Samples,
    folds: Folds,
    decided: Mapping[str, Sequence[Integers]],
    matrix: Floats,
) -> pd.DataFrame:
    """Return mean costs and what models cost more than the cheapest, ascending.

    A sample counts once, however often it is held out. ``behind`` is a share of the least
    cost, paired by sample, with its 95 % interval: the test of `moselect.decision`.
    """
    codes, times = samples.codes, np.zeros(len(samples))
    for _, test in folds:
        times[test] += 1.0
    held_out, losses = samples.take(folds.held_out), {}
    for name, predicted in decided.items():
        total = np.zeros(len(codes))
        for (_, test), classes in zip(folds, predicted, strict=True):
            total[test] += matrix[codes[test], classes]
        paid = total[folds.held_out] / times[folds.held_out]
        mean = float(np.average(paid, weights=held_out.weights))
        losses[name] = mean, held_out.of_units(paid - mean)
    dearest = Goal(matrix).dearest(held_out)
    found = {
        name: (mean, float(cost_errors(influence, dearest)))
        for name, (mean, influence) in losses.items()
    }
    table = pd.DataFrame.from_dict(found, "index", columns=["cost", "standard error"])
    table = table.join(behind_best(losses, by_cost=True)).rename_axis("model")
    table = table.sort_values("cost", kind="stable")
    return table


def behind_words(row: pd.Series) -> str:
    """Return in words what a model costs more than the cheapest.

    Examples
    --------
    >>> behind_words(pd.Series({"behind": 0.43, "behind low": 0.12, "behind high": 0.7}))
    '43 % more (12 to 70 %)'
    >>> behind_words(pd.Series({"behind": 17.51, "behind low": 11.3, "behind high": 23.72}))
    '19 times it (12 to 25)'
    """
    behind, low, high = (float(row[name]) for name in BEHIND)
    if behind >= TIMES:
        return f"{1.0 + behind:.2g} times it ({1.0 + low:.2g} to {1.0 + high:.2g})"
    if behind != behind:
        return ""
    share, least, most = (f"{100.0 * each:.0f}" for each in (behind, low, high))
    return f"{share} % more ({least} to {most} %)"


def cost_verdict(table: pd.DataFrame) -> str:
    """Return in one sentence which model costs least, and the simplest that costs about as little.

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
