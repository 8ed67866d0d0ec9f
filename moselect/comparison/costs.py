"""What the mistakes of each model cost, and whether differences mean anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect._types import Floats, Integers
from moselect._validation import check_priors, require_samples
from moselect.comparison.differences import paired_tests
from moselect.comparison.folds import Fold
from moselect.comparison.held_out import ModelResult
from moselect.decision import Costs

SIGNIFICANT = 0.05  # adjusted p below which a difference is called one
FITTED, PLUG_IN, AS_IS = "fitted", "plug-in", "as it is"


def use_priors(matrix: Floats, priors: ArrayLike, codes: Integers, classes: NDArray[Any]) -> Floats:
    """Return the cost matrix under which the mean over these samples is the cost in use."""
    shares = check_priors(priors, len(matrix))
    counts = np.bincount(codes, minlength=len(matrix)).astype(np.float64)
    needed = shares > 0.0
    require_samples(counts[needed], classes[needed], "the cost under these priors")
    return matrix * (shares * len(codes) / np.maximum(counts, 1.0))[:, np.newaxis]


def decision_of(result: ModelResult) -> str:
    """Return how a model decides for costs.

    ``"fitted"``: it was fitted for costs. ``"plug-in"``: it gives probabilities P, and the class of
    least expected cost P C is taken. ``"as it is"``: it knows of no costs and gives no
    probabilities, so what it predicts is taken.
    """
    if result.for_costs:
        return FITTED
    return PLUG_IN if all(part.proba is not None for part in result.held_out) else AS_IS


def decide(
    result: ModelResult, folds: Sequence[Fold], codes: Integers, costs: Costs, matrix: Floats
) -> list[Integers]:
    """Return the classes that a model decides for in each fold, as `decision_of` says.

    Priors count by the shares of the classes in the samples that a fold was fitted to.
    """
    if decision_of(result) != PLUG_IN:
        return [held_out.predicted for held_out in result.held_out]
    classes = np.arange(len(matrix))
    decided = []
    for (train, _), held_out in zip(folds, result.held_out, strict=True):
        in_use = matrix
        if costs.priors is not None:
            in_use = use_priors(matrix, costs.priors, codes[train], classes)
        assert held_out.proba is not None  # else it is no plug-in
        decided.append((held_out.proba @ in_use).argmin(axis=1))
    return decided


def compare_costs(
    codes: Integers,
    folds: Sequence[Fold],
    decided: Mapping[str, Sequence[Integers]],
    matrix: Floats,
) -> pd.DataFrame:
    """Return mean costs and how they differ from the least, ascending.

    ``p adjusted`` is that of the corrected resampled t-test over the folds, adjusted for the number
    of models (Holm); the standard errors are those over the samples.
    """
    paid = _paid_by_sample(codes, folds, decided, matrix)
    cost = paid.mean()
    cheapest = str(cost.idxmin())
    above = paid.sub(paid[cheapest], axis="index")
    by_fold = pd.DataFrame(
        {
            name: [
                matrix[codes[test], classes].mean()
                for (_, test), classes in zip(folds, predicted, strict=True)
            ]
            for name, predicted in decided.items()
        }
    )
    tests = paired_tests(by_fold, folds, cheapest).reindex(list(decided))
    table = pd.DataFrame(
        {
            "cost": cost,
            "standard error": paid.sem(),
            "above least": above.mean(),
            "standard error of difference": above.sem(),
            "p adjusted": tests["p adjusted"],
            "significant": tests["p adjusted"] < SIGNIFICANT,
        }
    )
    return table.rename_axis("model").sort_values("cost", kind="stable")


def cost_verdict(table: pd.DataFrame) -> str:
    """Return in one sentence which model costs least, and which ones may do as well.

    Parameters
    ----------
    table : DataFrame
        What `Comparison.costs` returns.

    Examples
    --------
    >>> cost_verdict(pd.DataFrame({"significant": [False, False, True]}, ["pool", "tree", "line"]))
    'pool costs least; not distinguishable from tree'
    """
    cheapest, *others = map(str, table.index)
    alike = [name for name in others if not table.loc[name, "significant"]]
    if not others:
        return f"{cheapest} is the only model"
    if not alike:
        return f"{cheapest} costs least, significantly less than every other model"
    return f"{cheapest} costs least; not distinguishable from {', '.join(alike)}"


def _paid_by_sample(
    codes: Integers,
    folds: Sequence[Fold],
    decided: Mapping[str, Sequence[Integers]],
    matrix: Floats,
) -> pd.DataFrame:
    """Return what each sample that is ever held out costs on average, a row, by model, a column."""
    times = np.bincount(np.concatenate([test for _, test in folds]), minlength=len(codes))
    paid = {}
    for name, predicted in decided.items():
        paid[name] = np.zeros(len(codes))
        for (_, test), classes in zip(folds, predicted, strict=True):
            np.add.at(paid[name], test, matrix[codes[test], classes])
    rows = times > 0
    return pd.DataFrame({name: total[rows] / times[rows] for name, total in paid.items()})
