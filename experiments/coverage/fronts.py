"""Bias and coverage of the expected figures of a front, by simulation.

python experiments/coverage/fronts.py [--repetitions 40] [--samples 300] [--seed 1]

Tables of 3 classes and 5 normal features; after each search every twentieth member of its front is
measured on 20,000 new rows. z = (expected - true) / standard error: its mean says how far figures
are shifted, its standard deviation whether their standard errors cover (1 is right).
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

from moselect import ParetoSearch
from moselect.metrics import accuracy_score, mean_absolute_error, ranking_scores

WEIGHTS = np.array([1.0, 0.7, 0.4, 0.2, 0.0])
CUTS = (-1.0, 1.0)
NEW_ROWS = 20_000


def draw(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    X = rng.normal(size=(n, len(WEIGHTS)))
    return X, 1 + np.digitize(X @ WEIGHTS + 1.5 * rng.normal(size=n), CUTS)


def simulate(n: int, rng: np.random.Generator) -> pd.DataFrame:
    """Return shown and true figures and standard errors, a row for some members and objectives."""
    front = ParetoSearch(random_state=int(rng.integers(2**31))).fit(*draw(n, rng)).front_
    best = int(front.expected["accuracy"].argmax())
    members = [*range(0, len(front), 20), best]
    X, y = draw(NEW_ROWS, rng)
    true = np.empty((len(members), 6))
    for row, i in zip(true, members, strict=True):
        predicted = front[i].predict(X)
        row[0] = accuracy_score(y, predicted)
        row[1] = 1.0 - mean_absolute_error(y, predicted)
        row[2:] = ranking_scores(y, X @ front.weights[i])
    columns = {
        "shown": front.expected.iloc[members].to_numpy().ravel(),
        "true": true.ravel(),
        "std_error": front.expected_se.iloc[members].to_numpy().ravel(),
        "objective": list(front.expected.columns) * len(members),
        "best": np.repeat([*[False] * (len(members) - 1), True], 6),
    }
    return pd.DataFrame(columns)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repetitions", type=int, default=40)
    parser.add_argument("--samples", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    found = pd.concat(
        [simulate(options.samples, rng) for _ in range(options.repetitions)]
    )
    found["z"] = (found["shown"] - found["true"]) / found["std_error"]
    for best, rows in found.groupby("best"):
        print("best in accuracy" if best else "every twentieth member")
        grouped = rows.groupby("objective", sort=False)
        table = grouped[["shown", "true", "std_error"]].mean()
        table["mean z"], table["sd of z"] = grouped["z"].mean(), grouped["z"].std()
        table["within 1.96"] = grouped["z"].apply(lambda z: (z.abs() < 1.96).mean())
        print(table.round(3).to_string(), end="\n\n")


if __name__ == "__main__":
    main()
