"""Held-out performance of models selected by preferences or for costs, and its estimates.

    MOSELECT_DATA=... python experiments/new_data/run.py [--splits 8] [--preferences 15]
        [--settings 6] [--sets NAME,...] [--seed 1] [--jobs 1]

Every row of results.csv is one data set, split, goal and candidate; values are mean losses on
the rows held out, in units of the gain of the front for preferences. What is there already is not
computed again.
"""

from __future__ import annotations

import argparse
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedShuffleSplit

from experiments.heldout_costs.run import draw_costs, load, names_of_sets
from experiments.resumed import grow
from moselect import ParetoSearch, cost_matrix
from moselect.metrics import (
    OBJECTIVES,
    accuracy_score,
    mean_absolute_error,
    ranking_scores,
)
from moselect.models import ProportionalOdds

HERE = Path(__file__).parent
# None: what is chosen by default
CANDIDATES = (
    None,
    "linear",
    "additive",
    "ensemble",
    "best member",
)
UNIT = "plug-in"  # proportional odds with penalty 1


def run_split(
    name: str, X: np.ndarray, y: np.ndarray, split: int, options: argparse.Namespace
) -> pd.DataFrame:
    """Measure what is chosen on one split, for all preferences and costs."""
    warnings.simplefilter("ignore")
    r = int(y.max()) + 1
    halves = StratifiedShuffleSplit(
        1, test_size=0.3, random_state=1000 * options.seed + split
    )
    train, test = next(halves.split(X, y))
    X, X_new, y, y_new = X[train], X[test], y[train], y[test]
    search = ParetoSearch(random_state=split).fit(X, y)
    front = search.front_
    odds = ProportionalOdds().fit(X, y)
    stated, scores = odds.predict_proba(X_new), odds.decision_function(X_new)
    units = front.objectives.max() - front.chance
    rng = np.random.default_rng([options.seed, split])
    drawn = rng.dirichlet(np.ones(len(OBJECTIVES)), options.preferences)
    rows = []
    for i in range(options.preferences + options.settings):
        if i < options.preferences:
            preferences = pd.Series(drawn[i], index=OBJECTIVES)
            request = {"preferences": preferences.to_dict()}
            worth = preferences / units
            costs = worth["accuracy"] * cost_matrix(np.ones(r), "zero_one")
            costs += worth["one_minus_mae"] * cost_matrix(np.ones(r))
            kept = partial(utility, y_new, worth, front.chance)
        else:
            costs = draw_costs(r, i, options.seed)
            request, kept = {"cost_matrix": costs}, partial(cost, y_new, costs)
        of_goal = {"set": name, "split": split, "goal": i, "by": next(iter(request))}
        predicted = (stated @ costs).argmin(axis=1)
        rows.append(of_goal | {"candidate": UNIT, "kept": kept(predicted, scores)})
        for candidate in CANDIDATES:
            model = search.select(**request, model=candidate)
            evidence = model.evidence
            loss, error = evidence.chosen.figure()
            figures = {
                "candidate": candidate or "default",
                "kept": kept(model.predict(X_new), model.decision_function(X_new)),
                "shown": evidence.loss.value(loss),
                "se": error,
                "selected": evidence.selected,
            }
            rows.append(of_goal | figures)
    return pd.DataFrame(rows)


def utility(
    y: np.ndarray,
    worth: pd.Series,
    chance: pd.Series,
    predicted: np.ndarray,
    scores: np.ndarray,
) -> float:
    """Return the weighted gain above chance, in units of the gain of the front."""
    labels = range(int(y.max()) + 1)
    of_classes = [
        accuracy_score(y, predicted, labels=labels),
        1.0 - mean_absolute_error(y, predicted, labels=labels),
    ]
    figures = pd.Series([*of_classes, *ranking_scores(y, scores)], index=OBJECTIVES)
    return float(worth @ (figures - chance))


def cost(
    y: np.ndarray, costs: np.ndarray, predicted: np.ndarray, scores: np.ndarray
) -> float:
    return float(costs[y, predicted].mean())


def preference_table(results: pd.DataFrame) -> pd.DataFrame:
    """Tabulate the gains of candidates over the plug-in rule of proportional odds, by set."""
    part = results[results["by"] == "preferences"]
    kept = part.pivot_table("kept", ["set", "split"], "candidate")
    above = kept.sub(kept[UNIT], axis=0).drop(columns=UNIT)
    return above.groupby("set").mean()


def cost_table(results: pd.DataFrame) -> pd.DataFrame:
    """Return costs relative to the plug-in rule of proportional odds, by set."""
    part = results[results["by"] == "cost_matrix"]
    sums = part.pivot_table("kept", "set", "candidate", aggfunc="sum")
    return sums.div(sums[UNIT], axis=0).drop(columns=UNIT)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", help="names, with commas; by default all")
    parser.add_argument("--splits", type=int, default=8)
    parser.add_argument("--preferences", type=int, default=15)
    parser.add_argument("--settings", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=HERE / "results.csv")
    options = parser.parse_args(arguments)
    results = grow(
        options.out,
        lambda name, k: run_split(name, *load(name), k, options),
        options.sets.split(",") if options.sets else names_of_sets(),
        options.splits,
        order=["set", "split"],
        n_jobs=options.jobs,
    )
    kept = preference_table(results)
    print("utility above proportional odds\n", kept.round(3).to_string())
    print(
        "mean:",
        kept.mean().round(3).to_dict(),
        "median:",
        kept.median().round(3).to_dict(),
    )
    costs = cost_table(results)
    print("cost over that of proportional odds\n", costs.round(3).to_string())
    print("geometric mean:", np.exp(np.log(costs).mean()).round(3).to_dict())
    z = (results["kept"] - results["shown"]) / results["se"]
    print(
        "|kept - shown| / se, median:",
        z.abs().groupby(results["candidate"]).median().to_dict(),
    )


if __name__ == "__main__":
    main()
