"""Differences between groups that do not differ, and coverage of the largest difference.

    python -m experiments.coverage.group_differences [--draws 300] [--seed 1]

No model: classes and predictions are drawn at random. Without effects the share of tables in which
the 95 % interval of the largest difference between groups lies above 0 (at most .05 is asked for),
of each measure; with effects the share of intervals that hold the true one.
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

from moselect.inspection import group_estimates
from moselect.samples import Samples

COSTS = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [6.0, 3.0, 0.0]])
SHARES = (0.5, 0.3, 0.2)
# Rows of each group; several groups of fewer than 30 rows would be merged.
SIZES = {
    "25 rows, others 35": [25] + [35] * 7,
    "35 rows": [35] * 8,
    "100 rows": [100] * 8,
}


def draw(
    errors: np.ndarray, sizes: list[int], rng: np.random.Generator
) -> tuple[Samples, np.ndarray, pd.Series]:
    """Draw rows of groups whose predictions are random with a probability for each group."""
    group = np.repeat(np.arange(len(errors)), sizes)
    codes = rng.choice(3, len(group), p=SHARES)
    is_random = rng.random(len(group)) < errors[group]
    predicted = np.where(is_random, rng.integers(0, 3, len(group)), codes)
    samples = Samples(np.empty((len(group), 0)), codes, np.arange(1, 4))
    return samples, predicted, pd.Series(group, name="group").map("group {}".format)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--draws", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    equal = np.full(8, 0.5)
    rising = np.linspace(0.2, 0.8, 8)
    big, answers, values = draw(rising, [50_000] * 8, rng)
    true = group_estimates(values, big, answers, COSTS).differences["difference"]
    rows = {}
    for name, sizes in SIZES.items():
        found = [
            group_estimates(values, samples, answers, COSTS).differences
            for samples, answers, values in (
                draw(equal, sizes, rng) for _ in range(options.draws)
            )
        ]
        above = pd.concat([each["low"] > 0.0 for each in found], axis=1)
        rows[f"{name}, no effects: above 0"] = above.mean(axis=1)
        held = []
        for _ in range(options.draws // 3):
            samples, answers, values = draw(rising, sizes, rng)
            each = group_estimates(values, samples, answers, COSTS).differences
            each = each.loc[true.index]
            held.append((each["low"] <= true) & (true <= each["high"]))
        rows[f"{name}, effects: covered"] = pd.concat(held, axis=1).mean(axis=1)
    print(pd.DataFrame(rows).T.round(3).to_string())


if __name__ == "__main__":
    main()
