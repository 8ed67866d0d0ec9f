"""Whether figures and limits by group hold on new rows, by simulation.

    python experiments/certainty/groups.py [--draws 20] [--rows 2000] [--candidate additive]

A model is selected on rows of four regions, which are no feature and differ in how much the
features tell; its cross-validated figures are compared with 40,000 further rows. Then a limit is
to hold in each region.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
import pandas as pd

from experiments.certainty.laws import REGIONS, Rows, costs_of, for_costs

N_NEW = 40_000
MOST = 0.1  # of class 2 or above that may be called lower


def simulate(n: int, seed: int, candidate: str) -> list[dict[str, object]]:
    """Return reported and true costs of each region of one table."""
    rng = np.random.default_rng(seed)
    rows, new = Rows(n, rng), Rows(N_NEW, rng)
    by = pd.DataFrame({"region": rows.region})
    free = for_costs(rows, candidate)
    shown = free.evidence.group_estimates(by["region"])
    true = pd.Series(costs_of(free, new)).groupby(new.region).mean()
    limited = for_costs(rows, candidate, limits={"2<2 by region": MOST}, by=by)
    called = limited.predict(pd.DataFrame(new.X).assign(region=new.region))
    low, high = shown.differences.loc["cost", ["low", "high"]]
    found = []
    for region in REGIONS:
        above = (new.region == region) & (new.y >= 2)
        share = np.mean(called[above] < 2)
        figures = shown.table.loc[region]
        found.append(
            {
                "region": region,
                "z of the cost": (figures["cost"] - true[region]) / figures["std_error"],
                "difference covered": low <= np.ptp(true) <= high,
                "share": share,
                "limit holds": share <= MOST,
                "limit met": all(limit.met for limit in limited.evidence.limits),
                "seed": seed,
            }
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--rows", type=int, default=2_000)
    parser.add_argument("--candidate", default="additive")
    known = parser.parse_args()
    warnings.simplefilter("ignore")
    table = pd.DataFrame(
        [
            row
            for k in range(known.draws)
            for row in simulate(known.rows, 3_000 + k, known.candidate)
        ]
    )
    print(f"z of the cost by group: sd {table['z of the cost'].std():.2f}")
    draws = table.groupby("seed")[
        ["difference covered", "limit holds", "limit met"]
    ].all()
    print(draws.mean().round(3).rename(lambda name: f"{name}, in all groups").to_string())
    regions = table.groupby("region")[["z of the cost", "share", "limit holds"]].mean()
    print(regions.round(3).to_string())


if __name__ == "__main__":
    main()
