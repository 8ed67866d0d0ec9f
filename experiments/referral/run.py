"""Held-out savings by the reject option, at several costs of referral.

    MOSELECT_DATA=... python -m experiments.referral.run [--sets NAME,...] [--jobs 1]

For each set the default model is selected for costs, and again with a referral that costs a
quarter, half and all of what a row costs without it. All costs are those of the 30 % of the rows
that are held out. The rival refers a fixed share of the rows, those whose most probable class is
least probable, with the share that is best in cross-validation; ``hindsight`` is the share that is
best on the held-out rows themselves.
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
PRICES = (0.25, 0.5, 1.0)
SHARES = np.linspace(0.0, 1.0, 101)


def fixed_shares(proba: np.ndarray, costs: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the mean costs if each of `SHARES` of the rows is referred, the least sure first."""
    r = costs.shape[0]
    decided = costs[y, (proba @ costs[:, :r]).argmin(axis=1)]
    order = np.argsort(proba.max(axis=1), kind="stable")
    referred = np.append(0.0, np.cumsum(costs[y, r][order]))
    others = decided.sum() - np.append(0.0, np.cumsum(decided[order]))
    return (referred + others)[np.rint(SHARES * len(y)).astype(int)] / len(y)


def run_split(name: str, split: int) -> pd.DataFrame:
    warnings.simplefilter("ignore")
    X, y = load(name)
    halves = StratifiedShuffleSplit(1, test_size=0.3, random_state=split)
    train, test = next(halves.split(X, y))
    costs, truth = draw_costs(y.max() + 1, 1, seed=1), y[test]
    search = ParetoSearch(random_state=split).fit(X[train], y[train])
    without = search.select(cost_matrix=costs)
    paid = costs[truth, without.predict(X[test])]
    rows = []
    for price in PRICES:
        cost = price * without.evidence.expected
        model = search.select(cost_matrix=costs, refer=cost)
        wide = model.evidence.costs.in_use
        answers = {label: code for code, label in enumerate(model.answers.tolist())}
        said = np.array([answers[label] for label in model.predict(X[test])])
        mine = wide[truth, said]
        evidence = model.evidence
        inside = fixed_shares(evidence.probabilities[evidence.selected], wide, y[train])
        proba = model.predict_proba(X[test])
        outside = fixed_shares(proba, wide, truth)
        rows.append(
            {
                "set": name,
                "split": split,
                "price": price,
                "without": paid.mean(),
                "with": mine.mean(),
                "difference": (mine - paid).mean(),
                "error": (mine - paid).std() / np.sqrt(len(paid)),
                "referred": (said == len(costs)).mean(),
                "fixed share": outside[inside.argmin()],
                "hindsight": outside.min(),
                "shown": evidence.expected,
                "shown error": evidence.expected_se,
            }
        )
    return pd.DataFrame(rows)


def main(arguments: list[str] | None = None) -> pd.DataFrame:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", help="names, with commas; by default all")
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=HERE / "results.csv")
    options = parser.parse_args(arguments)
    names = list(dict.fromkeys([*IN_PACKAGES, *names_of_sets()]))
    results = grow(
        options.out,
        run_split,
        options.sets.split(",") if options.sets else names,
        options.splits,
        order=["set", "split", "price"],
        n_jobs=options.jobs,
    )
    print(results.round(3).to_string(index=False))
    mean = results.groupby("set")["without"].transform("mean")
    results = results[mean >= SOLVED]  # no referral can pay where a row costs nothing
    dearer = (results["difference"] > results["error"]).mean()
    print(f"dearer than without by more than a standard error: {dearer:.0%} of rows")
    for baseline in ("without", "fixed share", "hindsight"):
        ratio = np.exp(
            np.log(results["with"] / results[baseline]).groupby(results["price"]).mean()
        )
        print(f"geometric mean of the cost beside {baseline}:", ratio.round(3).to_dict())
    return results


if __name__ == "__main__":
    main()
