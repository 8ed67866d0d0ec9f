"""Held-out costs of decision rules, relative to the plug-in rule of proportional odds.

    python -m experiments.heldout_costs.run [--splits 2] [--settings 6]
        [--sets NAME,...] [--seed 1] [--jobs 1] [--out results.csv]

By default on the tables that come with installed packages, and on the CSV files of MOSELECT_DATA if
that is set. Every row of results.csv is one data set, split and cost setting; the columns are
rules, the values mean held-out costs. What is there already is not computed again.
"""

from __future__ import annotations

import argparse
import os
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import skordinal.datasets
from scipy.stats import t as student
from sklearn import datasets
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, QuantileRegressor, RidgeCV
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit
from sklearn.preprocessing import StandardScaler
from skordinal.classifiers import SVOR, CostSensitiveWrapper, LogisticAT
from statsmodels.datasets import anes96

import moselect
from experiments.resumed import grow
from moselect import CostThresholdClassifier, ParetoSearch, cost_matrix
from moselect.models import (
    AdditiveOdds,
    OrdinalStacking,
    fit_proportional_odds,
)
from moselect.predictor import class_probabilities

try:
    from lightgbm import LGBMClassifier
except ImportError:
    LGBMClassifier = None

HERE = Path(__file__).parent
IN_SKORDINAL = ("era", "esl", "lev", "swd", "balance_scale")
IN_PACKAGES = ("boston", "diabetes", "anes96", *IN_SKORDINAL)
FEWEST = 10  # samples of a class; smaller ones are merged with a neighbour
LOSSES = ("zero_one", "absolute", "squared")
PENALTIES = (1.0, 3.0, 10.0, 30.0, 100.0)
REFERENCE = "plug-in rule"
SOLVED = (
    0.05  # of the reference's cost; a set on which a rule costs less would carry its mean
)
RULES = {  # column: whether the rule is linear
    "select": False,
    "select, linear": True,
    REFERENCE: True,
    "proportional odds, ridge by CV": True,
    "argmax": True,
    "LAD": True,
    "ordinal ridge": True,
    "SVOR, linear": True,
    "CostSensitiveWrapper": True,
    "multinomial logistic": False,
    "random forest": False,
    "gradient boosting": False,
    **({"LightGBM": False, "LightGBM, cumulative": False} if LGBMClassifier else {}),
    "CostThresholdClassifier": False,
    "splines": False,
    "ensemble": False,
    "trivial": False,
}


def merge_small(y: np.ndarray) -> np.ndarray:
    """Merge the smallest class with its smaller neighbour until all have `FEWEST` samples."""
    y = np.unique(y, return_inverse=True)[1]
    while (counts := np.bincount(y)).min() < FEWEST:
        small = int(counts.argmin())
        beside = [k for k in (small - 1, small + 1) if 0 <= k < len(counts)]
        other = min(beside, key=lambda k: counts[k])
        y = np.where(y >= max(small, other), y - 1, y)
    return y


def load(name: str) -> tuple[np.ndarray, np.ndarray]:
    if name in IN_SKORDINAL:
        X, y = getattr(skordinal.datasets, f"load_{name}")(return_X_y=True)
    elif name == "boston":
        X, y = moselect.datasets.load_boston()
    elif name == "diabetes":  # progression in fifths
        X, y = datasets.load_diabetes(return_X_y=True)
        y = pd.qcut(y, 5, labels=False)
    elif name == "anes96":  # which of seven steps from Democrat to Republican
        table = anes96.load_pandas().data
        X, y = table.drop(columns=["PID", "popul", "vote"]), table["PID"]
    else:
        table = pd.read_csv(Path(os.environ["MOSELECT_DATA"]) / f"{name}.csv")
        X, y = table.iloc[:, 1:], table.iloc[:, 0]
    return np.asarray(X, dtype=float), merge_small(np.asarray(y))


def names_of_sets() -> list[str]:
    files = sorted(Path(os.environ["MOSELECT_DATA"]).glob("*.csv"))
    return [*(file.stem for file in files), *IN_SKORDINAL]


def draw_costs(n_classes: int, setting: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng([seed, setting])
    return cost_matrix(np.exp(rng.normal(size=n_classes)), LOSSES[setting % len(LOSSES)])


class Boosting(ClassifierMixin, BaseEstimator):
    """Gradient boosting that remembers what it was fitted to: no cost setting changes that."""

    remembered: dict[bytes, HistGradientBoostingClassifier] = {}  # noqa: RUF012

    def fit(self, X: np.ndarray, y: np.ndarray) -> Boosting:
        """Fit, unless it was done before."""
        key = X.tobytes() + y.tobytes()
        if key not in self.remembered:
            model = HistGradientBoostingClassifier(
                max_iter=50, max_leaf_nodes=8, random_state=0
            )
            self.remembered[key] = model.fit(X, y)
        self.model_ = self.remembered[key]
        self.classes_ = self.model_.classes_
        return self

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Give class probabilities (n, r)."""
        return self.model_.predict_proba(X)


def proportional_odds(Z: np.ndarray, y: np.ndarray, Z_new: np.ndarray) -> np.ndarray:
    """Give maximum-likelihood probabilities, the ridge penalty chosen by cross-validation."""
    r = y.max() + 1
    likelihood = np.zeros(len(PENALTIES))
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(Z, y):
        for k, penalty in enumerate(PENALTIES):
            weights, cuts, *_ = fit_proportional_odds(Z[train], y[train], r, penalty)
            stated = class_probabilities(Z[test] @ weights, cuts)
            own = stated[np.arange(len(test)), y[test]]
            likelihood[k] += np.log(np.maximum(own, 1e-9)).sum()
    weights, cuts, *_ = fit_proportional_odds(Z, y, r, PENALTIES[likelihood.argmax()])
    return class_probabilities(Z_new @ weights, cuts)


def by_boundary(
    classifier: LGBMClassifier, Z: np.ndarray, y: np.ndarray, Z_new: np.ndarray
) -> np.ndarray:
    """Predict class probabilities by a classifier for each boundary (Frank & Hall 2001)."""
    above = [
        clone(classifier).fit(Z, y > k).predict_proba(Z_new)[:, 1] for k in range(y.max())
    ]
    # Separate fits may cross: P(y > k) is made to fall with k.
    falling = np.minimum.accumulate(np.column_stack(above), axis=1)
    return -np.diff(falling, axis=1, prepend=1.0, append=0.0)


def run_split(
    name: str, X: np.ndarray, y: np.ndarray, split: int, n_settings: int, seed: int
) -> pd.DataFrame:
    """Measure all rules on one split, for all cost settings."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    r = y.max() + 1
    halves = StratifiedShuffleSplit(1, test_size=0.3, random_state=1000 * seed + split)
    train, test = next(halves.split(X, y))
    X_train, X_test, y_train, y_test = X[train], X[test], y[train], y[test]
    scaler = StandardScaler().fit(X_train)
    Z, Z_test = scaler.transform(X_train), scaler.transform(X_test)

    def ranked(scores: np.ndarray) -> np.ndarray:
        return np.clip(np.rint(scores), 0, r - 1).astype(int)

    at = (
        LogisticAT(alpha=1.0, tol=1e-9, max_iter=10_000)
        .fit(Z, y_train)
        .predict_proba(Z_test)
    )
    proba = {
        REFERENCE: at,
        "proportional odds, ridge by CV": proportional_odds(Z, y_train, Z_test),
        "multinomial logistic": LogisticRegression(max_iter=1000)
        .fit(Z, y_train)
        .predict_proba(Z_test),
        "random forest": RandomForestClassifier(500, min_samples_leaf=5, random_state=0)
        .fit(Z, y_train)
        .predict_proba(Z_test),
        "gradient boosting": Boosting().fit(Z, y_train).predict_proba(Z_test),
    }
    if LGBMClassifier:
        trees = LGBMClassifier(n_estimators=50, num_leaves=8, n_jobs=1, verbose=-1)
        proba["LightGBM"] = trees.fit(Z, y_train).predict_proba(Z_test)
        proba["LightGBM, cumulative"] = by_boundary(trees, Z, y_train, Z_test)
    fixed = {
        "argmax": at.argmax(axis=1),
        "LAD": ranked(QuantileRegressor(alpha=0.0).fit(Z, y_train).predict(Z_test)),
        "ordinal ridge": ranked(
            RidgeCV(np.logspace(-2, 3, 11)).fit(Z, y_train).predict(Z_test)
        ),
        "SVOR, linear": SVOR(kernel="linear", C=1.0).fit(Z, y_train).predict(Z_test),
        "CostSensitiveWrapper": CostSensitiveWrapper(LogisticRegression(max_iter=1000))
        .fit(Z, y_train)
        .predict(Z_test),
    }
    search = ParetoSearch(random_state=split).fit(X_train, y_train)
    additive = AdditiveOdds().fit(X_train, y_train)
    proba |= {
        "ensemble": OrdinalStacking(random_state=split)
        .fit(X_train, y_train)
        .predict_proba(X_test),
        "splines": additive.predict_proba(X_test),
    }
    rows = []
    for setting in range(n_settings):
        C = draw_costs(r, setting, seed)
        boosted = CostThresholdClassifier(Boosting(), cost_matrix=C)
        predicted = fixed | {
            "select": search.select(cost_matrix=C).predict(X_test),
            "select, linear": search.select(cost_matrix=C, model="linear").predict(
                X_test
            ),
            "CostThresholdClassifier": boosted.fit(Z, y_train).predict(Z_test),
            "trivial": np.full(len(y_test), C[y_train].sum(axis=0).argmin()),
        }
        predicted |= {rule: (P @ C).argmin(axis=1) for rule, P in proba.items()}
        costs = {rule: C[y_test, predicted[rule]].mean() for rule in RULES}
        rows.append({"set": name, "split": split, "setting": setting} | costs)
    Boosting.remembered.clear()
    return pd.DataFrame(rows)


@np.errstate(
    divide="ignore", invalid="ignore"
)  # a rule may have made no mistake in few splits
def table(results: pd.DataFrame) -> pd.DataFrame:
    """Give relative costs by rule and set, their geometric mean and its 95 % half-width, and ranks.

    Costs of one set are summed over splits and settings before they are divided. The interval is
    that of the splits (jackknife, paired with the reference). Sets that a rule has solved are shown
    but not counted in means and ranks, unless all are.
    """
    by_split = results.groupby(["set", "split"])[list(RULES)].sum()
    relative, variance = {}, {}
    for name, sums in by_split.groupby("set"):
        logs = np.log(sums.sum()) - np.log(sums.sum()[REFERENCE])
        relative[name] = np.exp(logs)
        if len(sums) == 1:  # no interval
            variance[name] = logs * np.nan
            continue
        excluded = np.log(sums.sum() - sums)
        excluded = excluded.sub(excluded[REFERENCE], axis=0)
        k = len(sums)
        variance[name] = (k - 1) / k * ((excluded - excluded.mean()) ** 2).sum()
    shown = pd.DataFrame(relative)
    counted = [name for name in shown if shown[name].min() >= SOLVED] or list(shown)
    error = np.sqrt(pd.DataFrame(variance)[counted].sum(axis=1, skipna=False)) / len(
        counted
    )
    freedom = max(1, by_split.index.isin(counted, level=0).sum() - len(counted))
    mean = np.exp(np.log(shown[counted]).mean(axis=1))
    results = results[results["set"].isin(counted)]
    means = results.groupby(["set", "setting"])[list(RULES)].mean()
    each = np.log(means.div(means[REFERENCE], axis=0)).groupby("set").mean().mean()
    linear = [rule for rule, is_linear in RULES.items() if is_linear]
    shown["mean"] = mean
    shown["+-"] = mean * error * student.ppf(0.975, freedom)
    shown["worst"] = shown[list(relative)].max(axis=1)
    shown["by setting"] = np.exp(each)
    shown["rank"] = means.rank(axis=1).mean()
    shown["linear rank"] = means[linear].rank(axis=1).mean()
    return shown


def main(arguments: list[str] | None = None) -> pd.DataFrame:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", help="names, with commas; by default all")
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--settings", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=HERE / "results.csv")
    options = parser.parse_args(arguments)
    keys = ["set", "split", "setting"]
    own = names_of_sets() if "MOSELECT_DATA" in os.environ else []
    results = grow(
        options.out,
        lambda name, k: run_split(name, *load(name), k, options.settings, options.seed),
        options.sets.split(",")
        if options.sets
        else list(dict.fromkeys([*IN_PACKAGES, *own])),
        options.splits,
        order=keys,
        columns=[*keys, *RULES],
        n_jobs=options.jobs,
    )
    shown = table(results)
    print(shown.round(3).to_string())
    return shown


if __name__ == "__main__":
    main()
