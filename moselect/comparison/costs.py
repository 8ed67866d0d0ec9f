"""What the mistakes of each model cost, and how sure the order is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from moselect._types import Integers
from moselect._validation import require_samples
from moselect.decision import Costs
from moselect.decision.differences import behind_best, behind_words, cost_errors
from moselect.decision.goal import Goal
from moselect.decision.kinds import NEAR
from moselect.folds import Folds
from moselect.samples import Samples


def compare_costs(
    samples: Samples,
    folds: Folds,
    decided: Mapping[str, Sequence[Integers]],
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
    for name, predicted in decided.items():
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
