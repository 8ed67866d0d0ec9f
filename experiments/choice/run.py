"""Compare rules of model selection by held-out costs.

    MOSELECT_DATA=folder python -m experiments.choice.run [--splits 3] [--jobs 1]

On each split all candidates are fitted and cross-validated, for four settings of costs; then each
rule selects a candidate, which is evaluated on the 30 % of the rows that are held out.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedShuffleSplit

from experiments.heldout_costs.run import (
    IN_PACKAGES,
    SOLVED,
    draw_costs,
    load,
    names_of_sets,
)
from experiments.resumed import grow
from moselect import ParetoSearch

HERE = Path(__file__).parent
CANDIDATES = ("scorecard", "linear", "additive", "ensemble")  # simplest first
REFERENCE = "proportional odds"


def run_split(name: str, split: int) -> pd.DataFrame:
    warnings.simplefilter("ignore")
    X, y = load(name)
    if len(y) > 4_000:
        rows = np.random.default_rng(0).permutation(len(y))[:4_000]
        X, y = X[rows], y[rows]
    train, test = next(
        StratifiedShuffleSplit(1, test_size=0.3, random_state=split).split(X, y)
    )
    search = ParetoSearch(n_iterations=3, cv=None, random_state=split).fit(
        X[train], y[train]
    )
    rows = []
    for setting in range(4):
        costs = draw_costs(y.max() + 1, setting, seed=1)
        evidence = search.select(cost_matrix=costs, model="cheapest").evidence
        truth, codes = costs[y[train]], np.arange(len(train))
        paid = {
            candidate: truth[
                codes, (evidence.probabilities[candidate] @ costs).argmin(axis=1)
            ]
            for candidate in CANDIDATES
        }
        row = {"set": name, "split": split, "setting": setting}
        for candidate in (*CANDIDATES, REFERENCE):
            model = search.select(cost_matrix=costs, model=candidate)
            row[f"{candidate}, true"] = costs[y[test], model.predict(X[test])].mean()
        for candidate in CANDIDATES:
            apart = paid[candidate] - paid["ensemble"]
            row[f"{candidate}, shown"] = paid[candidate].mean()
            row[f"{candidate}, error"] = apart.std() / np.sqrt(len(apart))
        rows.append(row)
    return pd.DataFrame(rows)


def chosen(row: pd.Series, rule: str) -> str:
    """Return the candidate selected by a rule."""
    shown = {candidate: row[f"{candidate}, shown"] for candidate in CANDIDATES}
    least = min(shown, key=lambda candidate: shown[candidate])
    if rule == "ensemble":
        return "ensemble"
    if rule == "cheapest":
        return least
    if rule == "ensemble, unless one is cheaper by an error":
        apart = {
            candidate: shown[candidate] + row[f"{candidate}, error"]
            for candidate in CANDIDATES[:-1]
        }
        best = min(
            (k for k in CANDIDATES[:-1] if apart[k] < shown["ensemble"]),
            key=shown.get,
            default=None,
        )
        return best or "ensemble"
    if rule.startswith("simplest within"):
        share = float(rule.split()[2]) / 100.0
        return next(
            candidate
            for candidate in CANDIDATES
            if shown[candidate] <= (1.0 + share) * shown[least]
        )
    # not costlier than the ensemble
    return next(
        candidate for candidate in CANDIDATES if shown[candidate] <= shown["ensemble"]
    )


RULES = (
    "ensemble",
    "ensemble, unless one is cheaper by an error",
    "simplest not costlier than the ensemble",
    "cheapest",
    "simplest within 2 %",
    "simplest within 5 %",
)


def main(arguments: list[str] | None = None) -> pd.DataFrame:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=HERE / "results.csv")
    options = parser.parse_args(arguments)
    names = list(dict.fromkeys([*IN_PACKAGES, *names_of_sets()]))
    order = ["set", "split", "setting"]
    results = grow(
        options.out, run_split, names, options.splits, order=order, n_jobs=options.jobs
    )
    found = [row for _, row in results.iterrows()]
    taken = {rule: [chosen(row, rule) for row in found] for rule in RULES}
    paid = {
        rule: [
            row[f"{candidate}, true"]
            for candidate, row in zip(candidates, found, strict=True)
        ]
        for rule, candidates in taken.items()
    }
    sums = results.assign(**paid).groupby("set")[[*RULES, f"{REFERENCE}, true"]].sum()
    ratios = sums[[*RULES]].div(sums[f"{REFERENCE}, true"], axis=0)
    # a set that a rule has solved is not counted
    ratios = ratios[(ratios >= SOLVED).all(axis=1)]
    rows = {
        rule: {
            "geometric mean": np.exp(np.log(ratios[rule]).mean()),
            "worst": ratios[rule].max(),
            "simpler than the ensemble": np.mean(
                [candidate != "ensemble" for candidate in taken[rule]]
            ),
        }
        for rule in RULES
    }
    shown = pd.DataFrame(rows).T
    print(shown.round(3).to_string())
    return shown


if __name__ == "__main__":
    main()
