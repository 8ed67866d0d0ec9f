"""Values of candidates that were evaluated under the same criteria."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from moselect.candidates.cross_validation import CV, SPLITS
from moselect.evaluation.choice import saving_over, within_limits
from moselect.evaluation.decision import ERROR, Evaluation

EXCESS = ("excess", "excess_low", "excess_high")
WITHIN = "within limits"
MONOTONE = "monotone"
COLUMNS = (CV, ERROR, *EXCESS, WITHIN, MONOTONE, *SPLITS[1:], "terms", "seconds")


def candidate_values(
    evaluations: Mapping[str, Evaluation], losses: Mapping[str, float]
) -> pd.DataFrame:
    """Tabulate the candidates by corrected losses; see `Evidence.candidates`."""
    rows = {}
    # Of candidates with the same corrected loss, the one that is selected comes first.
    for name in sorted(evaluations, key=lambda name: evaluations[name].cv_loss[0]):
        evaluation = evaluations[name]
        row = {split: evaluation.loss(split)[0] for split in evaluation.predictions}
        row[CV], row[ERROR] = evaluation.corrected(losses[name])
        row |= {"terms": evaluation.fit.terms, "seconds": evaluation.fit.seconds}
        if evaluation.priced.limits:
            row[WITHIN] = evaluation.is_within
        if evaluation.splits.train.directions:
            row[MONOTONE] = evaluation.is_monotone
        rows[name] = row
    loss = evaluation.priced.loss
    table = pd.DataFrame.from_dict(rows, orient="index")
    table = table.join(_excess(evaluations, losses, table[CV]))
    table = table[[name for name in COLUMNS if name in table]]
    for split in {*SPLITS} & {*table}:
        table[split] = loss.value(table[split].to_numpy())
    table = table.sort_values(CV, ascending=loss.lower_is_better, kind="stable")
    return table.rename(columns={CV: loss.name})


def _excess(
    evaluations: Mapping[str, Evaluation],
    losses: Mapping[str, float],
    corrected: pd.Series,
) -> pd.DataFrame:
    """Compute the excess loss of each model within its limits over the best of them.

    Relative to the least cost (NaN if that is 0), or the difference in loss, in the columns
    `EXCESS`. The ``corrected`` losses are sorted by uncorrected loss, which breaks ties.
    """
    names = within_limits(evaluations, corrected.index)
    best = str(corrected[names].idxmin())
    rows = {}
    for name in names:
        saved = saving_over(
            evaluations[best], evaluations[name], losses[best], losses[name]
        )
        rows[name] = [np.nan] * 3
        if saved is not None:
            rows[name] = [-saved.estimate, -saved.high, -saved.low]
    rows[best] = [0.0] * 3
    return pd.DataFrame.from_dict(rows, orient="index", columns=list(EXCESS))
