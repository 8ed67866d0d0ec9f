"""Held-out costs of candidates without one of their parts, relative to those with it.

    MOSELECT_DATA=folder python -m experiments.ablation.run [--parts TEXT] [--rows 600]
        [--sets NAME,...] [--splits 1] [--jobs 1] [--out results.csv]

A part is replaced by a value that disables it; then the candidate that has it is selected on the
training rows of each table, for four settings of costs, and evaluated on the others. ``--parts``
takes those whose name has the text. What is in results.csv already is not computed again.
"""

from __future__ import annotations

import argparse
import warnings
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
from msgspec import structs
from sklearn.model_selection import StratifiedShuffleSplit

from experiments.ablation.laws import LAWS
from experiments.heldout_costs.run import IN_PACKAGES, draw_costs, load, names_of_sets
from experiments.resumed import grow
from moselect import ParetoSearch

HERE = Path(__file__).parent
SETTINGS = 4
MOST_TESTED = 3_000
DEFAULT = "as it is"
MEMBERS = "moselect.models.ensemble.base_models.BASE_MODELS"
ENSEMBLE = "moselect.models.ensemble.fit_cache.ENSEMBLE"
SCORECARD = "moselect.models.scorecard.path.SCORECARD"
RULE = "moselect.models.linear.linear_rule"
FACTORIES = resolve_name(MEMBERS)

# Part: the candidate that has it, and its replacement.
PARTS: dict[str, tuple[str, str, Any]] = {
    f"ensemble: {name}": (
        "ensemble",
        MEMBERS,
        {other: make for other, make in FACTORIES.items() if other != name},
    )
    for name in FACTORIES
} | {
    "ensemble: all folds for its weights": (
        "ensemble",
        ENSEMBLE,
        structs.replace(resolve_name(ENSEMBLE), neighbour_rows=10**9),
    ),
    "ensemble: corrections of calibrations": (
        "ensemble",
        "moselect.models.calibration.PRIOR_COUNT",
        1e12,
    ),
    "linear: corrections of calibrations": (
        "linear",
        "moselect.models.calibration.PRIOR_COUNT",
        1e12,
    ),
    "linear: decision loss": ("linear", f"{RULE}.EMPHASIS", 1e-9),
    "linear: weak penalties": (
        "linear",
        f"{RULE}.PENALTIES",
        (100.0, 30.0, 10.0, 3.0, 1.0),
    ),
    "additive: weaker penalties of all groups": (
        "additive",
        "moselect.models.linear_fits.WEAKER",
        (1.0,),
    ),
    "scorecard: swaps": (
        "scorecard",
        SCORECARD,
        structs.replace(resolve_name(SCORECARD), swaps=0),
    ),
}


def table_of(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return features and class codes of a set or of a law."""
    if name in LAWS:
        return LAWS[name](np.random.default_rng(7))
    return load(name)


def run_split(
    name: str, split: int, parts: dict[str, Any], most_rows: int
) -> pd.DataFrame:
    """Measure candidates with and without the parts on one split."""
    warnings.simplefilter("ignore")
    X, y = table_of(name)
    n_train = min(most_rows, int(0.7 * len(y)))
    halves = StratifiedShuffleSplit(
        1,
        train_size=n_train,
        test_size=min(MOST_TESTED, len(y) - n_train),
        random_state=split,
    )
    train, test = next(halves.split(X, y))
    rows = []
    candidates = {candidate for candidate, *_ in parts.values()}
    for part, (candidate, target, value) in {
        **{f"{DEFAULT}: {each}": (each, f"{RULE}.EMPHASIS", 3.0) for each in candidates},
        **parts,
    }.items():
        with patch(target, value):
            search = ParetoSearch(n_iterations=2, cv=None, random_state=split)
            search.fit(X[train], y[train])
            for setting in range(SETTINGS):
                costs = draw_costs(y.max() + 1, setting, seed=1)
                model = search.select(cost_matrix=costs, model=candidate)
                paid = costs[y[test], model.predict(X[test])].mean()
                rows.append(
                    (part, candidate, setting, paid / costs[y[test]].mean(axis=0).min())
                )
    columns = ["part", "candidate", "setting", "cost"]
    return pd.DataFrame(rows, columns=columns).assign(set=name, split=split)


def summary(results: pd.DataFrame) -> pd.DataFrame:
    """Return, for each part, mean, standard error and extremes of relative costs by set."""
    costs = results.groupby(["part", "candidate", "set"])["cost"].mean()
    rows = {}
    for (part, candidate), without in costs.groupby(["part", "candidate"]):
        if part.startswith(DEFAULT):
            continue
        reference = costs[f"{DEFAULT}: {candidate}"].droplevel("candidate")
        ratios = np.log(without.droplevel(["part", "candidate"]) / reference).dropna()
        ratios = ratios[np.isfinite(ratios)]
        rows[part] = {
            "without / with": np.exp(ratios.mean()),
            "std. error": ratios.std() / np.sqrt(len(ratios)),
            "least": np.exp(ratios.min()),
            "greatest": np.exp(ratios.max()),
            "on": ratios.idxmax(),
        }
    return pd.DataFrame(rows).T


def main(arguments: list[str] | None = None) -> pd.DataFrame:
    """Measure all parts, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", default="")
    parser.add_argument("--sets", default="")
    parser.add_argument("--rows", type=int, default=600)
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=HERE / "results.csv")
    options = parser.parse_args(arguments)
    parts = {part: each for part, each in PARTS.items() if options.parts in part}
    names = options.sets.split(",") if options.sets else []
    if not names:
        names = [*dict.fromkeys([*IN_PACKAGES, *names_of_sets()]), *LAWS]
    measure = partial(run_split, parts=parts, most_rows=options.rows)
    order = ["set", "split", "part", "setting"]
    results = grow(
        options.out, measure, names, options.splits, order=order, n_jobs=options.jobs
    )
    shown = summary(results)
    print(shown.to_string(float_format="{:.3f}".format))
    return shown


if __name__ == "__main__":
    main()
