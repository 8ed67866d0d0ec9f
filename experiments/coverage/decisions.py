"""Bias and coverage of the costs and limits reported by `select`, by simulation.

    python experiments/coverage/decisions.py [--tables 40] [--only costs|limits|noise|many]

Tables are drawn from a known law, every candidate is fitted, and its cross-validated cost is
compared with the cost of the deployable model on 20,000 further rows; "selected" is the default
selection with its expected cost, corrected for selection bias, and "uncorrected" the
same with the cost of the candidate. With "noise" only tables of few rows are drawn, with "many"
tables of 20,000 rows and a class of 1 %, judged by 200,000 further ones. Printed are the standard
deviation of (shown - true) / standard error, which should be at most 1.15, and the mean of shown
- true in shares of the trivial cost, at most 0.02 away from 0; and the share of tables in which a
limit holds on new rows.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

from moselect import cost_matrix
from moselect.candidates.candidates import CandidateFits, FitSettings
from moselect.candidates.names import TRIVIAL
from moselect.costs import Costs
from moselect.samples.samples import Samples
from moselect.selection import Selector

HERE = Path(__file__).parent
CUTS = (0.0, 1.0)
# Rows, signal and cuts; with the last cuts a class of 7 % is the dear one.
FEW = {
    "noise, 60 rows": (60, 0.0, CUTS),
    "120 rows, weak signal": (120, 0.4, CUTS),
    "120 rows, rare class": (120, 0.4, (0.35, 1.95)),
}
MANY = {"20,000 rows, class of 1 %": (20_000, 1.0, (0.0, 4.2))}
SETTINGS = {**FEW, "150 rows": (150, 1.0, CUTS), "400 rows": (400, 1.0, CUTS)}
CANDIDATES = ("linear", "additive", "ensemble", "proportional odds")
CLASS_COSTS = (1.0, 1.0, 5.0)
N_NEW = 20_000
MOST = 0.1  # of the highest class that may be called lower than the middle one
LABELS = np.arange(3)


def draw(
    n: int, signal: float, rng: np.random.Generator, cuts: tuple[float, float] = CUTS
) -> tuple[np.ndarray, np.ndarray]:
    """Draw features (n, 6) and three classes, of which two features know nothing."""
    X = rng.normal(size=(n, 6))
    latent = X[:, 0] + np.sin(2.0 * X[:, 1]) + 0.5 * X[:, 2] * X[:, 3]
    return X, np.digitize(signal * latent + rng.logistic(size=n) * 0.7, cuts)


def decision(X: np.ndarray, y: np.ndarray) -> Selector:
    settings = FitSettings(random_state=0, n_jobs=1)
    return Selector(CandidateFits(Samples(X, y, LABELS), settings))


def simulate_costs(setting: str, seed: int) -> list[dict[str, object]]:
    """Return reported and true costs by candidate, of one table."""
    n, signal, cuts = {**SETTINGS, **MANY}[setting]
    rng = np.random.default_rng(seed)
    X, y = draw(n, signal, rng, cuts)
    X_new, y_new = draw(max(N_NEW, 10 * n), signal, rng, cuts)
    costs = cost_matrix(CLASS_COSTS)
    of_table, rows = decision(X, y), []
    by_class = costs[y_new].mean(axis=0)

    def add(name: str, shown: float, error: float, true: float) -> None:
        row = {
            "setting": setting,
            "seed": seed,
            "candidate": name,
            "shown": shown,
            "error": error,
        }
        rows.append({**row, "true": true, "trivial": by_class.min()})

    for candidate in (*CANDIDATES, None):
        model = of_table.select(Costs(CLASS_COSTS), candidate)
        evidence, true = model.evidence, costs[y_new, model.predict(X_new)].mean()
        if candidate is not None:
            add(candidate, *evidence.chosen.figure(), true)
    # The one class that costs least in the table is no model; it comes with any candidate.
    least = by_class[costs[y].sum(axis=0).argmin()]
    add(TRIVIAL, *evidence.evaluations[TRIVIAL].figure(), least)
    add("uncorrected", *evidence.chosen.figure(), true)
    add("selected", evidence.expected, evidence.expected_se, true)
    return rows


def simulate_limit(n: int, seed: int) -> dict[str, float]:
    """Return how often a mistake that was limited happens on new rows, and what that costs."""
    rng = np.random.default_rng(seed)
    X, y = draw(n, 1.0, rng)
    X_new, y_new = draw(N_NEW, 1.0, rng)
    costs, of_table = cost_matrix([1.0, 1.0, 1.0]), decision(X, y)
    free = of_table.select(Costs([1.0, 1.0, 1.0]), "additive").predict(X_new)
    model = of_table.select(Costs([1.0, 1.0, 1.0]), "additive", {"2<1": MOST})
    called = model.predict(X_new)
    return {
        "rows": n,
        "seed": seed,
        "share": (called[y_new == 2] < 1).mean(),
        "share without": (free[y_new == 2] < 1).mean(),
        "dearer": costs[y_new, called].mean() / costs[y_new, free].mean() - 1.0,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=["costs", "limits", "noise", "many"])
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    seeds = range(1000 * options.seed, 1000 * options.seed + options.tables)
    if options.only != "limits":
        settings = {"noise": FEW, "many": MANY}.get(options.only, SETTINGS)
        rows = [
            row for s in settings for seed in seeds for row in simulate_costs(s, seed)
        ]
        found = pd.DataFrame(rows)
        name = options.only or "costs"
        found.to_csv(HERE / f"{name}.csv", index=False, float_format="%.5g")
        found["z"] = (found["shown"] - found["true"]) / found["error"]
        found["bias"] = (found["shown"] - found["true"]) / found["trivial"]
        grouped = found.groupby(["setting", "candidate"], sort=False)
        table = pd.DataFrame({"sd": grouped["z"].std(), "bias": grouped["bias"].mean()})
        table["error of bias"] = grouped["bias"].std() / np.sqrt(options.tables)
        of_one_class = found[found["candidate"] == TRIVIAL].set_index(
            ["setting", "seed"]
        )["bias"]
        beside = found.join(of_one_class.rename("one class"), on=["setting", "seed"])
        found["more"] = beside["bias"] - beside["one class"]
        table["beside one class"] = grouped["more"].mean()
        table["its error"] = grouped["more"].std() / np.sqrt(options.tables)
        print(table.round(3).to_string())
    if options.only in (None, "limits"):
        held = pd.DataFrame(
            [simulate_limit(n, seed) for n in (300, 600) for seed in seeds]
        )
        held.to_csv(HERE / "limits.csv", index=False, float_format="%.5g")
        held["met"] = held["share"] <= MOST
        print(held.drop(columns="seed").groupby("rows").mean().round(3).to_string())


if __name__ == "__main__":
    main()
