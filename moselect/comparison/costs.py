"""What the mistakes of each model cost, and whether differences mean anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from moselect._types import Floats, Integers
from moselect._validation import check_priors, require_samples
from moselect.comparison.differences import paired_tests
from moselect.decision import Costs
from moselect.folds import Folds

if TYPE_CHECKING:
    from moselect.comparison.result import ModelResult

SIGNIFICANT = 0.05  # adjusted p below which a difference is called one
FITTED, PLUG_IN, AS_IS = "fitted", "plug-in", "as it is"


def matrix_in_use(costs: Costs, codes: Integers, classes: NDArray[Any]) -> Floats:
    """Return the cost matrix under which the mean over these samples is the cost in use."""
    matrix = costs.matrix(len(classes))
    if costs.priors is None:
        return matrix
    shares = check_priors(costs.priors, len(classes))
    counts = np.bincount(codes, minlength=len(classes)).astype(np.float64)
    needed = shares > 0.0
    require_samples(counts[needed], classes[needed], "the cost under these priors")
    return matrix * (shares * len(codes) / np.maximum(counts, 1.0))[:, np.newaxis]


def decision_of(result: ModelResult) -> str:
    """Return how a model decides: as it was fitted for costs, by its probabilities, or as it is.

    A model that knows of no costs and gives no probabilities is taken by what it predicts.
    """
    if result.for_costs:
        return FITTED
    return PLUG_IN if all(part.proba is not None for part in result.held_out) else AS_IS


def decide(
    result: ModelResult, folds: Folds, codes: Integers, costs: Costs, classes: NDArray[Any]
) -> list[Integers]:
    """Return the classes that a model decides for in each fold, as `decision_of` says.

    Priors count by the shares of the classes in the samples that a fold was fitted to.
    """
    if decision_of(result) != PLUG_IN:
        return [part.predicted for part in result.held_out]
    decided = []
    for (train, _), part in zip(folds, result.held_out, strict=True):
        matrix = matrix_in_use(costs, codes[train], classes)
        assert part.proba is not None  # else it is no plug-in
        decided.append((part.proba @ matrix).argmin(axis=1))
    return decided


def compare_costs(
    codes: Integers, folds: Folds, decided: Mapping[str, Sequence[Integers]], matrix: Floats
) -> pd.DataFrame:
    """Return mean costs and how they differ from the least, ascending.

    ``p adjusted`` is that of the corrected resampled t-test over the folds, adjusted for the number
    of models (Holm); the standard errors are those over the samples.
    """
    times = np.zeros(len(codes))
    for _, test in folds:
        times[test] += 1.0
    by_sample, by_fold = {}, {}
    for name, predicted in decided.items():
        total = np.zeros(len(codes))
        means = []
        for (_, test), classes in zip(folds, predicted, strict=True):
            paid = matrix[codes[test], classes]
            total[test] += paid
            means.append(paid.mean())
        by_sample[name] = total[folds.held_out] / times[folds.held_out]
        by_fold[name] = means
    paid_by = pd.DataFrame(by_sample)
    cost = paid_by.mean()
    cheapest = str(cost.idxmin())
    above = paid_by.sub(paid_by[cheapest], axis="index")
    tests = paired_tests(pd.DataFrame(by_fold), folds, cheapest).reindex(list(decided))
    table = pd.DataFrame(
        {
            "cost": cost,
            "standard error": paid_by.sem(),
            "above least": above.mean(),
            "standard error of difference": above.sem(),
            "p adjusted": tests["p adjusted"],
            "significant": tests["p adjusted"] < SIGNIFICANT,
        }
    )
    return table.rename_axis("model").sort_values("cost", kind="stable")


def cost_verdict(table: pd.DataFrame) -> str:
    """Return in one sentence which model costs least, and which ones may do as well.

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


def simplest_verdict(kinds: pd.DataFrame) -> str:
    """Return in a sentence which model is the simplest of those that may cost least.

    Examples
    --------
    >>> kinds = {"significant": [False, False, True], "terms": [np.nan, 13.0, 2.0]}
    >>> simplest_verdict(pd.DataFrame(kinds, ["pool", "line", "stump"]))
    'The simplest model that cannot be told from it is line (13 terms)'
    """
    cheapest = str(kinds.index[0])
    terms = kinds.loc[~kinds["significant"], "terms"].dropna()
    if terms.empty:
        return "No model that can be written down as a sum of terms costs as little"
    simplest = str(terms.idxmin())
    n_terms = f"{terms.min():g} term{'' if terms.min() == 1 else 's'}"
    if simplest == cheapest:
        return f"No simpler model can be told to cost as little: it has {n_terms}"
    return f"The simplest model that cannot be told from it is {simplest} ({n_terms})"
