"""Kappa on rows that were set aside: solved for, by costs, and by the usual practice.

    MOSELECT_DATA=folder python -m experiments.metrics.run [--splits 2] [--sets NAME,...]

On each split the ensemble is fitted to half of the rows and predicts the other half: once with
decisions solved for quadratic kappa, and for other rivals with the same class probabilities. The
usual practice is a gradient boosting regression with cut points found by Nelder-Mead.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import StratifiedShuffleSplit, cross_val_predict

from experiments.heldout_costs.run import load, names_of_sets
from experiments.resumed import grow
from moselect import ParetoSearch

HERE = Path(__file__).parent
MAX_ROWS = 2_000


def kappa(true: np.ndarray, predicted: np.ndarray) -> float:
    return float(cohen_kappa_score(true, predicted, weights="quadratic"))


def usual_practice(X: np.ndarray, y: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Predict by a regression with cut points that maximise out-of-fold kappa."""
    model = HistGradientBoostingRegressor(random_state=0)
    scores = cross_val_predict(model, X, y, cv=5)

    def loss(cuts: np.ndarray) -> float:
        return -kappa(y, np.searchsorted(np.sort(cuts), scores))

    start = np.arange(y.max()) + 0.5
    cuts = np.sort(minimize(loss, start, method="Nelder-Mead").x)
    return np.searchsorted(cuts, model.fit(X, y).predict(new))


def run_split(name: str, split: int) -> pd.DataFrame:
    warnings.simplefilter("ignore")
    X, y = load(name)
    rows = np.random.default_rng(0).permutation(len(y))[:MAX_ROWS]
    X, y = X[rows], np.unique(y[rows], return_inverse=True)[1]
    halves = StratifiedShuffleSplit(1, test_size=0.5, random_state=split)
    train, test = next(halves.split(X, y))
    search = ParetoSearch(n_iterations=3, cv=None, random_state=split)
    search.fit(X[train], y[train])
    ones = np.ones(y.max() + 1)
    models = {
        "solved": search.select(metric="quadratic_kappa", model="ensemble"),
        "any candidate, solved": search.select(metric="quadratic_kappa"),
        "equal costs": search.select(class_costs=ones, model="ensemble"),
        "squared costs": search.select(
            class_costs=ones, loss="squared", model="ensemble"
        ),
    }
    row = {"set": name, "split": split}
    for rule, model in models.items():
        row[rule] = kappa(y[test], model.predict(X[test]))
    likely = models["solved"].predict_proba(X[test]).argmax(axis=1)
    row["argmax"] = kappa(y[test], likely)
    usual = usual_practice(X[train], y[train], X[test])
    row["usual practice"] = kappa(y[test], usual)
    evidence = models["solved"].evidence
    row["shown"], row["error"] = evidence.expected, evidence.expected_se
    return pd.DataFrame([row])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--sets", default=",".join(names_of_sets()))
    parser.add_argument("--out", type=Path, default=HERE / "results.csv")
    options = parser.parse_args()
    names = options.sets.split(",")
    order = ("set", "split")
    results = grow(options.out, run_split, names, options.splits, order=order)
    means = results.drop(columns=["split", "error"]).groupby("set").mean()
    print(means.round(3).to_string())
    print(means.mean().round(4).to_string())
    z = (results["shown"] - results["solved"]) / results["error"]
    print(f"shown minus test half, in standard errors: {z.min():.1f} to {z.max():.1f}")
