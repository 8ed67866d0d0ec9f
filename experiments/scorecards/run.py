"""Held-out costs of scorecards, relative to the plug-in rule of proportional odds.

    MOSELECT_DATA=... python experiments/scorecards/run.py [--splits 5] [--settings 6]
        [--sets NAME,...] [--seed 1] [--jobs 1] [--rows 1000] [--fasterrisk]

Every row of results.csv is one data set, split and model, with its number of conditions or leaves,
its mean held-out cost and the time of its fit. What is there already is not computed again.
With --fasterrisk: two classes, cards beside those of FasterRisk, if that is installed.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from skordinal.classifiers import LogisticAT

from experiments.heldout_costs.run import draw_costs, load, merge_small, names_of_sets
from experiments.resumed import grow
from moselect import Scorecard
from moselect.models import fit_proportional_odds
from moselect.predictor import class_probabilities
from moselect.preprocessing import ConditionColumns

HERE = Path(__file__).parent
NUMBERS = (3, 5, 8, 12, 16)
REFERENCE = "proportional odds, all features"
KEYS = ["set", "split", "model", "conditions"]
OBSERVED = 1e-9


def rounded_weights(
    X: np.ndarray, y: np.ndarray, X_new: np.ndarray, n_conditions: int
) -> np.ndarray:
    """Give probabilities by the folk method: the heaviest conditions, weights rounded to 5 points.

    Proportional odds on all conditions, those of the largest standardised weights fitted again,
    divided by the largest weight, times 5, and rounded; then a last fit along the sum.
    """
    X, X_new = pd.DataFrame(X), pd.DataFrame(X_new)
    columns = ConditionColumns().fit(X)
    met, new, r = columns.transform(X), columns.transform(X_new), int(y.max()) + 1
    weights, *_ = fit_proportional_odds(StandardScaler().fit_transform(met), y, r, 1.0)
    chosen = np.argsort(-np.abs(weights), kind="stable")[:n_conditions]
    weights, *_ = fit_proportional_odds(met[:, chosen], y, r, 1.0)
    points = np.rint(5.0 * weights / np.abs(weights).max())
    slope, cuts, *_ = fit_proportional_odds(met[:, chosen] @ points[:, None], y, r, 1e-6)
    return class_probabilities(new[:, chosen] @ points * slope[0], cuts)


def run_split(
    name: str,
    X: np.ndarray,
    y: np.ndarray,
    split: int,
    n_settings: int,
    seed: int,
    n_rows: int,
) -> pd.DataFrame:
    """Measure all models on one split."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    if len(y) > n_rows:
        some = StratifiedShuffleSplit(1, train_size=n_rows, random_state=seed + split)
        rows = next(some.split(X, y))[0]
        X, y = X[rows], merge_small(y[rows])
    halves = StratifiedShuffleSplit(1, test_size=0.3, random_state=1000 * seed + split)
    train, test = next(halves.split(X, y))
    X_train, X_test, y_train, y_test = X[train], X[test], y[train], y[test]
    settings = [draw_costs(y.max() + 1, setting, seed) for setting in range(n_settings)]
    rows = []

    def add(model: str, conditions: int, proba: np.ndarray, seconds: float) -> None:
        costs = [C[y_test, (proba @ C).argmin(axis=1)].mean() for C in settings]
        rows.append([name, split, model, conditions, np.sum(costs), seconds])

    scaler = StandardScaler().fit(X_train)
    linear = LogisticAT(alpha=1.0, tol=1e-9, max_iter=10_000)
    linear.fit(scaler.transform(X_train), y_train)
    add(REFERENCE, 0, linear.predict_proba(scaler.transform(X_test)), 0.0)
    start = time.perf_counter()
    card = Scorecard("cv").fit(X_train, y_train)
    seconds = time.perf_counter() - start
    add(
        "scorecard, number by CV", card.n_conditions_, card.predict_proba(X_test), seconds
    )
    start = time.perf_counter()
    card = Scorecard().fit(X_train, y_train)
    seconds = time.perf_counter() - start
    for k in NUMBERS:
        add("scorecard", k, card.with_conditions(k).predict_proba(X_test), seconds)
        add("rounded weights", k, rounded_weights(X_train, y_train, X_test, k), 0.0)
        tree = DecisionTreeClassifier(max_leaf_nodes=k, random_state=0).fit(
            X_train, y_train
        )
        add("tree with as many leaves", k, tree.predict_proba(X_test), 0.0)
    return pd.DataFrame(rows, columns=[*KEYS, "cost", "seconds"])


def table(results: pd.DataFrame) -> pd.DataFrame:
    """Give costs relative to the reference by model and set, and their geometric means.

    balance_scale is shown but not in the means, as in experiments/heldout_costs.
    """
    by_cv = results["model"] == "scorecard, number by CV"
    results = results.assign(conditions=results["conditions"].where(~by_cv, 0))
    costs = results.groupby(["model", "conditions", "set"])["cost"].sum().unstack("set")
    shown = costs / costs.loc[(REFERENCE, 0)]
    known = [name for name in shown if name.endswith("_ord")]
    others = [name for name in shown if name not in (*known, "balance_scale")]
    for title, names in (("mean, data/", known), ("mean, skordinal", others)):
        shown[title] = np.exp(np.log(shown[names]).mean(axis=1))
    return shown


def compare_fasterrisk(names: list[str], n_rows: int) -> pd.DataFrame:
    """Give log losses of cards and of FasterRisk on targets cut in two, and the time of the fits.

    Both take the same conditions.
    """
    from fasterrisk.fasterrisk import RiskScoreOptimizer

    rows = []
    for name in names:
        X, y = load(name)
        shares = np.cumsum(np.bincount(y))[:-1] / len(y)
        upper = (y > np.abs(shares - 0.65).argmin()).astype(int)
        some = np.random.default_rng(0).permutation(len(y))[:n_rows]
        X, upper = X[some], upper[some]
        train, test = next(
            StratifiedShuffleSplit(1, test_size=0.3, random_state=0).split(X, upper)
        )
        met = ConditionColumns().fit(pd.DataFrame(X[train])).transform(pd.DataFrame(X))
        for k in (5, 10):
            start = time.perf_counter()
            card = Scorecard(k).fit(X[train], upper[train])
            ours = time.perf_counter() - start
            own = card.predict_proba(X)[:, 1]
            start = time.perf_counter()
            other = RiskScoreOptimizer(
                met[train], 2.0 * upper[train] - 1.0, k=k, lb=-5, ub=5
            )
            other.optimize()
            theirs = time.perf_counter() - start
            factors, intercepts, points = other.get_models()
            best = expit((intercepts[0] + met @ points[0]) / factors[0])
            for model, P, seconds in (
                ("FasterRisk", best, theirs),
                ("scorecard", own, ours),
            ):
                stated = np.maximum(np.where(upper == 1, P, 1.0 - P), OBSERVED)
                loss = -np.log(stated)
                rows.append(
                    [name, k, model, loss[train].mean(), loss[test].mean(), seconds]
                )
    return pd.DataFrame(
        rows, columns=["set", "conditions", "model", "training", "held out", "seconds"]
    )


def main(arguments: list[str] | None = None) -> pd.DataFrame:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", help="names, with commas; by default all")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--settings", type=int, default=6)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--fasterrisk", action="store_true")
    parser.add_argument("--out", type=Path, default=HERE / "results.csv")
    options = parser.parse_args(arguments)
    names = options.sets.split(",") if options.sets else names_of_sets()
    if options.fasterrisk:
        try:
            shown = compare_fasterrisk(names, options.rows)
        except ImportError as error:
            raise SystemExit(f"skipped: {error} (pip install fasterrisk)") from None
        print(shown.round(4).to_string(index=False))
        means = shown.groupby(["conditions", "model"])[
            ["training", "held out", "seconds"]
        ].mean()
        print(means.round(4).to_string())
        return shown
    results = grow(
        options.out,
        lambda name, k: run_split(
            name, *load(name), k, options.settings, options.seed, options.rows
        ),
        names,
        options.splits,
        order=KEYS,
        n_jobs=options.jobs,
    )
    shown = table(results)
    print(shown.round(3).to_string())
    return shown


if __name__ == "__main__":
    main()
