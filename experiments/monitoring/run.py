"""Error rates and power of `moselect.check`, by simulation.

    python -m experiments.monitoring.run [--draws 400] [--seed 1]

A model of 2,000 rows (an additive model; three classes, costs 1, 1, 5) is checked on 2,000 rows
drawn later: from the same law; with a share of the labels swapped so that a row costs 20 % more;
and with the shares of the classes changed by half. Printed are how often the verdict is "dearer",
and the error of the shares that are estimated without labels. Each draw has its own model.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
import pandas as pd

import moselect
from experiments.coverage.decisions import LABELS, decision, draw
from moselect.costs import Costs

N_ROWS, N_NEW, N_TRUE = 2_000, 2_000, 20_000
COSTS = moselect.cost_matrix([1.0, 1.0, 5.0])
DEARER = 1.2


def mean_cost(model: object, X: np.ndarray, y: np.ndarray) -> float:
    return float(COSTS[y, model.predict(X)].mean())


def with_shares(shares: np.ndarray, n: int, rng: np.random.Generator) -> tuple:
    """Draw rows whose classes have other shares."""
    X, y = draw(4 * n, 1.0, rng)
    weights = (shares / np.bincount(y))[y]
    rows = rng.choice(len(y), n, p=weights / weights.sum())
    return X[rows], y[rows]


def simulate(seed: int) -> dict[str, object]:
    """Return the checks of one model."""
    rng = np.random.default_rng(seed)
    X, y = draw(N_ROWS, 1.0, rng)
    model = decision(X, y).select(Costs((1.0, 1.0, 5.0)), "additive")
    same = moselect.check(model, *draw(N_NEW, 1.0, rng))
    # Labels that are drawn anew cost what is known of a model that knows nothing of them.
    new, truth = draw(N_NEW, 1.0, rng)
    true_cost = mean_cost(model, *draw(N_TRUE, 1.0, rng))
    drawn = rng.permutation(truth)
    worst = mean_cost(model, new, drawn)
    share = (DEARER - 1.0) * true_cost / (worst - true_cost)
    truth = np.where(rng.random(N_NEW) < share, drawn, truth)
    dearer = moselect.check(model, new, truth)
    shares = np.bincount(y) / len(y) * np.array([0.5, 1.0, 1.5])
    shares /= shares.sum()
    later, classes = with_shares(shares, N_NEW, rng)
    found = moselect.check(model, later).class_shares
    return {
        "dearer, nothing changed": same.holds is False,
        "dearer, 20 % dearer": dearer.holds is False,
        "share off, highest class": found["now"].iloc[-1] / np.mean(classes == LABELS[-1])
        - 1.0,
        "share off, lowest class": found["now"].iloc[0] / np.mean(classes == LABELS[0])
        - 1.0,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    known = parser.parse_args()
    warnings.simplefilter("ignore")
    table = pd.DataFrame([simulate(10_000 * known.seed + k) for k in range(known.draws)])
    for name in ("dearer, nothing changed", "dearer, 20 % dearer"):
        print(f"{name}: {table[name].mean():.1%} of {len(table)}")
    for name in ("share off, highest class", "share off, lowest class"):
        print(f"{name}: within 15 % in {np.mean(table[name].abs() <= 0.15):.1%}")


if __name__ == "__main__":
    main()
