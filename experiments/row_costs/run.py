"""Decisions by the costs of each row beside those by their mean: claims with lognormal amounts.

    python -m experiments.row_costs.run [--draws 18]

Each draw has 1,000 training rows. The same model is selected for costs that are expressions of the
amount, and for their mean given the true class; both are evaluated on 100,000 new rows.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from moselect import ParetoSearch

HERE = Path(__file__).parent
N_ROWS, N_NEW = 1_000, 100_000
# A claim that is larger than it was taken for is paid in part; one that is smaller is examined in
# vain.
CELLS = pd.DataFrame(
    [["0", "30", "60"], ["amount / 2", "0", "30"], ["amount", "amount / 2", "0"]]
)
MODELS = ("proportional odds", "additive")


def draw(n: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw rows of a proportional-odds law, with amounts that depend on the class a little."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 3))
    latent = x @ [1.2, 0.8, 0.0] + rng.logistic(size=n)
    y = np.searchsorted([-0.8, 1.5], latent)
    amount = np.exp(rng.normal(4.0 + 0.1 * latent, 1.2)).round(2)
    return pd.DataFrame(x, columns=["a", "b", "c"]).assign(amount=amount), y


def cost_matrices(amount: np.ndarray) -> np.ndarray:
    """Compute the costs (n, r, r) of CELLS by hand."""
    zero = np.zeros_like(amount)
    rows = [
        [zero, zero + 30.0, zero + 60.0],
        [amount / 2.0, zero, zero + 30.0],
        [amount, amount / 2.0, zero],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def run_draw(seed: int) -> pd.DataFrame:
    X, y = draw(N_ROWS, seed)
    new, truth = draw(N_NEW, 1_000_000 + seed)
    costs = cost_matrices(new["amount"].to_numpy())[np.arange(N_NEW), truth]
    search = ParetoSearch(n_iterations=2, cv=5, random_state=seed).fit(X, y)
    rows = []
    for name in MODELS:
        model = search.select(cost_matrix=CELLS, model=name)
        evidence = model.evidence
        plain = search.select(cost_matrix=evidence.costs.matrix, model=name)
        true, by_mean = (
            costs[np.arange(N_NEW), each.predict(new)].mean() for each in (model, plain)
        )
        z = (evidence.expected - true) / evidence.expected_se
        rows.append((seed, name, true, by_mean, true / by_mean, z))
    columns = ["draw", "model", "by row", "by mean", "ratio", "z"]
    return pd.DataFrame(rows, columns=columns)


def summarise(found: pd.DataFrame) -> pd.DataFrame:
    """Tabulate costs, their ratio, and z of the reported less the true cost, by model."""
    by_model = found.groupby("model", sort=False)
    return pd.DataFrame(
        {
            "by row": by_model["by row"].mean(),
            "by mean": by_model["by mean"].mean(),
            "ratio": by_model["by row"].mean() / by_model["by mean"].mean(),
            "worst ratio": by_model["ratio"].max(),
            "mean of z": by_model["z"].mean(),
            "sd of z": by_model["z"].std(),
            "within 3": by_model["z"].apply(lambda z: int((z.abs() <= 3.0).sum())),
            "draws": by_model.size(),
        }
    ).round(3)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=18)
    n_draws = parser.parse_args().draws
    summary = summarise(pd.concat(map(run_draw, range(n_draws))))
    summary.to_csv(HERE / "results.csv")
    print(summary.to_string())
