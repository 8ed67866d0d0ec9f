"""Whether prediction sets hold the true class as often as they say, by simulation.

    python experiments/certainty/sets.py [--draws 40] [--candidate additive]

Tables of 300 to 2,000 rows are drawn from a known law; the sets of the selected model are compared
with 10,000 further rows, and their size with that of the smallest contiguous sets that the true
probabilities allow at the same coverage.
"""

from __future__ import annotations

import argparse
import warnings
from itertools import combinations

import numpy as np
import pandas as pd

from experiments.certainty.laws import CLASSES, Rows, for_costs

N_NEW = 10_000
SIZES = (300, 600, 1_000, 2_000)
COVERAGE = 0.9


def simulate(n: int, seed: int, candidate: str) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    model, new = for_costs(Rows(n, rng), candidate), Rows(N_NEW, rng)
    found: dict[str, float] = {"rows": n}
    for by in (None, "class"):
        sets = model.predict_set(new.X, COVERAGE, by)
        lowest, highest = sets.to_numpy().T
        held = (lowest <= new.y) & (new.y <= highest)
        found[f"contiguous {by or 'overall'}"] = (lowest <= highest).all()
        if by is None:
            found["coverage"] = held.mean()
            size = (highest - lowest + 1).mean()
        for k in CLASSES:
            found[f"class {k} {by or 'overall'}"] = held[new.y == k].mean()
    least = least_size(new, found["coverage"])
    return found | {"size": size, "size / least": size / least}


def least_size(rows: Rows, coverage: float) -> float:
    """Compute the mean size of the smallest contiguous sets with a coverage, by brute force."""
    ranges = [*combinations(range(len(CLASSES) + 1), 2)]
    proba = np.array([rows.proba[:, low:high].sum(axis=1) for low, high in ranges])
    sizes = np.array([high - low for low, high in ranges])
    low, high = 0.0, 1e6
    for _ in range(60):
        weight = (low + high) / 2.0
        best = (weight * proba - sizes[:, None]).argmax(axis=0)
        held = proba[best, np.arange(len(rows.y))].mean()
        low, high = (low, weight) if held >= coverage else (weight, high)
    return float(sizes[best].mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=40)
    parser.add_argument("--candidate", default="additive")
    known = parser.parse_args()
    warnings.simplefilter("ignore")
    table = pd.DataFrame(
        [
            simulate(SIZES[k % len(SIZES)], 1_000 + k, known.candidate)
            for k in range(known.draws)
        ]
    )
    pd.options.display.width = 200
    print(table.groupby("rows").mean().T.round(3))
    print(table.mean().round(3).to_string())


if __name__ == "__main__":
    main()
