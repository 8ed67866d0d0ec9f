"""What rules chosen by preference, or for given costs, keep on new data, and what they showed.

    MOSELECT_DATA=... python experiments/new_data/run.py [--splits 8] [--preferences 60]
        [--settings 6] [--sets NAME,...] [--seed 1] [--jobs 1]

Every row of results.csv is one data set, split and goal; values are mean losses on the rows held
out, in units of the gain of the front for preferences. What is there already is not computed again.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.model_selection import StratifiedShuffleSplit
from threadpoolctl import threadpool_limits

from experiments.heldout_costs.run import draw_costs, load, names_of_sets
from moselect import ParetoSearch
from moselect.decision import Goal, LinearRuleFitter, preference_goal
from moselect.metrics import OBJECTIVES
from moselect.models import class_probabilities, fit_proportional_odds

HERE = Path(__file__).parent


def goals_of(
    n_classes: int, gains: dict[str, float], options: argparse.Namespace, split: int
) -> dict[str, Goal]:
    """Return single objectives, random preferences and random costs."""
    rng = np.random.default_rng([options.seed, split])
    shares = {f"only {name}": row for name, row in zip(OBJECTIVES, np.eye(6), strict=True)}
    drawn = rng.dirichlet(np.ones(6), options.preferences)
    shares |= {f"preference {i}": row for i, row in enumerate(drawn)}
    goals = {
        name: preference_goal(dict(zip(OBJECTIVES, row, strict=True)), gains, n_classes)
        for name, row in shares.items()
    }
    for i in range(options.settings):
        goals[f"costs {i}"] = Goal(draw_costs(n_classes, i, options.seed))
    return goals


def run_split(
    name: str, X: np.ndarray, y: np.ndarray, split: int, options: argparse.Namespace
) -> pd.DataFrame:
    """Measure all rules on one split, for all goals."""
    warnings.simplefilter("ignore")
    r = int(y.max()) + 1
    halves = StratifiedShuffleSplit(1, test_size=0.3, random_state=1000 * options.seed + split)
    train, test = next(halves.split(X, y))
    X, X_new, y, y_new = X[train], X[test], y[train], y[test]
    ones, ones_new = np.ones(len(y)), np.ones(len(y_new))
    front = ParetoSearch(random_state=split).fit(X, y).front_
    with threadpool_limits(1, "blas"):
        fitter = LinearRuleFitter(X, y, r)
        fold_fronts = front.fold_fronts and [fold.weights for fold in front.fold_fronts]
        scale = X.std(axis=0)
        scale[scale == 0.0] = 1.0
        Z, Z_new = (X - X.mean(axis=0)) / scale, (X_new - X.mean(axis=0)) / scale
        odds = {}
        for rule, penalty in {"plug-in": 1.0, "ridge by CV": fitter.penalty}.items():
            weights, cuts = fit_proportional_odds(Z, y, r, penalty)
            scores = Z_new @ weights
            odds[rule] = scores, class_probabilities(scores, cuts)
        gains = (front.objectives.max() - front.chance).to_dict()
        above = ((front.objectives - front.chance) / (front.objectives.max() - front.chance)).T
        rows: list[dict[str, Any]] = []
        for goal_name, goal in goals_of(r, gains, options, split).items():
            row: dict[str, Any] = {"set": name, "split": split, "goal": goal_name}
            rule = fitter.fit(goal, front.weights, fold_fronts)
            scores = X_new @ rule.weights
            predicted = np.searchsorted(rule.thresholds, scores, side="left")
            row["kept"], influence = goal.losses(y_new, predicted, scores, ones_new)
            row["noise"] = np.linalg.norm(influence) / len(y_new)
            row["shown"], _ = goal.losses(y, rule.cross_fitted, rule.cross_scores, ones)
            row["front share"] = rule.front_share
            for rival, (scores, stated) in odds.items():
                predicted = (stated @ goal.costs).argmin(axis=1)
                row[rival], _ = goal.losses(y_new, predicted, scores, ones_new)
            # Today's pick: the member with the least loss in training, as the front has it.
            if goal_name.startswith("costs"):
                paid = [
                    goal.costs[y, np.searchsorted(b, X @ w)].mean()
                    for w, b in zip(front.weights, front.thresholds, strict=True)
                ]
            else:
                worth = dict(zip(OBJECTIVES, [*_label_worth(goal), *goal.ranking], strict=True))
                paid = -sum(worth[m] * gains[m] * above.loc[m].to_numpy() for m in OBJECTIVES)
            best = int(np.argmin(paid))
            scores = X_new @ front.weights[best]
            predicted = np.searchsorted(front.thresholds[best], scores, side="left")
            row["today"], _ = goal.losses(y_new, predicted, scores, ones_new)
            rows.append(row)
    return pd.DataFrame(rows)


def _label_worth(goal: Goal) -> tuple[float, float]:
    """Return the worths of accuracy and 1 - MAE of a preference's goal, from its costs."""
    if len(goal.costs) == 2:
        return float(goal.costs[0, 1]), 0.0
    deviation = goal.costs[0, 2] - goal.costs[0, 1]
    return float(goal.costs[0, 1] - deviation), float(deviation)


def table(results: pd.DataFrame) -> pd.DataFrame:
    """Return what is kept above the plug-in rule of proportional odds, by set.

    Standard errors are those of the means over splits, paired with the plug-in rule.
    """
    shown = {}
    for name, part in results[~results["goal"].str.startswith("costs")].groupby("set"):
        above = pd.DataFrame(
            {rule: part["plug-in"] - part[rule] for rule in ("today", "ridge by CV", "kept")}
        )
        drawn = part["goal"].str.startswith("preference")
        by_split = above[drawn].groupby(part["split"]).mean()
        column = by_split.mean().to_dict() | {"se": by_split["kept"].sem()}
        column["over today"] = column["kept"] - column["today"]
        column["se over today"] = (by_split["kept"] - by_split["today"]).sem()
        column["single"] = above["kept"][~drawn].mean()
        miss = part["kept"] - part["shown"]  # of losses: positive where too much was shown
        column["|shown - kept| / noise"] = (miss.abs() / part["noise"])[drawn].median()
        column["bias"] = miss[drawn].mean()
        column["front share"] = part["front share"][drawn].mean()
        column["splits"] = part["split"].nunique()
        shown[name] = column
    return pd.DataFrame(shown).T


def cost_table(results: pd.DataFrame) -> pd.DataFrame:
    """Return costs relative to the plug-in rule, by set, and the jackknife standard error."""
    costs = results[results["goal"].str.startswith("costs")]
    shown = {}
    for name, part in costs.groupby("set"):
        sums = part.groupby("split")[["kept", "ridge by CV", "today", "plug-in"]].sum()
        relative = sums.sum() / sums["plug-in"].sum()
        left_out = np.log((sums.sum() - sums)["kept"] / (sums.sum() - sums)["plug-in"])
        k = len(sums)
        error = np.sqrt((k - 1) / k * ((left_out - left_out.mean()) ** 2).sum())
        shown[name] = relative.to_dict() | {"se": error}
    return pd.DataFrame(shown).T.drop(columns="plug-in")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", help="names, with commas; by default all")
    parser.add_argument("--splits", type=int, default=8)
    parser.add_argument("--preferences", type=int, default=60)
    parser.add_argument("--settings", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=HERE / "results.csv")
    options = parser.parse_args(arguments)
    done = pd.read_csv(options.out) if options.out.exists() else pd.DataFrame()
    known = set(zip(done["set"], done["split"], strict=True)) if len(done) else set()
    names = options.sets.split(",") if options.sets else names_of_sets()
    wanted = [(name, k) for k in range(options.splits) for name in names if (name, k) not in known]
    data = {name: load(name) for name in {name for name, _ in wanted}}
    for part in Parallel(n_jobs=options.jobs, return_as="generator_unordered")(
        delayed(run_split)(name, *data[name], k, options) for name, k in wanted
    ):
        done = pd.concat([done, part]).sort_values(
            ["set", "split"], kind="stable", ignore_index=True
        )
        done.to_csv(options.out, index=False, float_format="%.6g")
    results = done[done["set"].isin(names)]
    kept = table(results)
    print(kept.round(3).to_string())
    of_shared = [name for name in kept.index if name.endswith("_ord")]
    for title, chosen in {"shared": of_shared, "others": kept.index.difference(of_shared)}.items():
        if len(chosen):
            print(f"mean of {title}:", kept.loc[chosen].mean().round(3).to_dict())
    if options.settings:
        costs = cost_table(results)
        print(costs.round(3).to_string())
        print("geometric mean:", np.exp(np.log(costs).mean()).round(3).drop("se").to_dict())


if __name__ == "__main__":
    main()
