"""Published tables: costs of each row, ordinal sets and scorecards beside printed figures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from experiments.published import autoscore, kappa, ordinal_sets, savings
from experiments.resumed import grow

HERE = Path(__file__).parent
N_SPLITS = 10
PARTS = {
    "savings": (savings.measure, [*savings.LOADERS], N_SPLITS),
    "ordinal_sets": (ordinal_sets.measure, [*ordinal_sets.TARGETS], N_SPLITS),
    "autoscore": (autoscore.measure, ["autoscore"], N_SPLITS),
    "autoscore_printed": (autoscore.measure_printed, ["printed split"], 1),
    "kappa": (kappa.measure, [*kappa.SETS], N_SPLITS),
}


def run(out: Path, *, quick: bool, report: Callable[[float], None]) -> pd.DataFrame:
    """Measure what is missing in the tables of splits, and summarise them.

    ``savings`` needs the package empulse, the others the folder MOSELECT_DATA. A quick run
    measures one split of the sets of LEV.
    """
    if quick:
        splits = ordinal_sets.measure("LEV", 0)
        return summarise(splits)
    found = []
    for k, (part, (measure, names, n_splits)) in enumerate(PARTS.items()):
        path = HERE / f"{part}.csv"
        splits = grow(path, measure, names, n_splits, order=("set", "split"))
        found.append(summarise(splits))
        report((k + 1) / len(PARTS))
    return pd.concat(found, ignore_index=True)


def summarise(splits: pd.DataFrame) -> pd.DataFrame:
    """Return mean, least and greatest value of each set and method.

    Of costs of each row, there are the differences from scikit-learn's models, too.
    """
    values = splits.pivot(index=["set", "split"], columns="method", values="value")
    for baseline in ("logistic regression", "random forest"):
        if baseline in values:
            values[f"more than {baseline}"] = values["moselect"] - values[baseline]
    grouped = values.groupby("set").agg(["mean", "min", "max"])
    stacked = grouped.stack("method", future_stack=True).dropna().reset_index()
    keys = stacked["set"] + ": " + stacked["method"]
    return pd.DataFrame(
        {
            "key": keys,
            "here": stacked["mean"],
            "low": stacked["min"],
            "high": stacked["max"],
        }
    )
