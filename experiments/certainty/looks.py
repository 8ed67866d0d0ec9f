"""Whether a model that is checked month by month is called dearer falsely, by simulation.

    python experiments/certainty/looks.py [--tables 20] [--histories 10] [--candidate additive]

A model of 600 rows is checked on 120 rows a month for 24 months, with a history. Printed are the
share of histories in which the verdict is ever "dearer" though nothing has changed, and the share
in which it is within six months if a part of the classes is drawn anew so that a row costs twice
as much.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
import pandas as pd

import moselect
from experiments.certainty.laws import Rows, costs_of, for_costs

N_ROWS, N_MONTH, N_MONTHS, N_SOON, N_TRUE = 600, 120, 24, 6, 20_000


def months_until_dearer(
    model: object, n_months: int, noise: float, rng: np.random.Generator
) -> int:
    """Count the checks until the verdict is "dearer"; `n_months` + 1 if it never is."""
    history = None
    for month in range(1, n_months + 1):
        rows = Rows(N_MONTH, rng, noise)
        found = moselect.check(model, rows.X, rows.y, history=history)
        if found.holds is False:
            return month
        history = found.history
    return n_months + 1


def simulate(seed: int, n_histories: int, candidate: str) -> list[dict[str, float]]:
    rng = np.random.default_rng(seed)
    model = for_costs(Rows(N_ROWS, rng), candidate)
    true, worst = (
        costs_of(model, Rows(N_TRUE, rng, noise)).mean() for noise in (0.0, 1.0)
    )
    noise = min(1.0, true / (worst - true))
    return [
        {
            "dearer falsely": months_until_dearer(model, N_MONTHS, 0.0, rng) <= N_MONTHS,
            "doubled, found": months_until_dearer(model, N_SOON, noise, rng) <= N_SOON,
            "cost, times": costs_of(model, Rows(N_TRUE, rng, noise)).mean() / true,
        }
        for _ in range(n_histories)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--histories", type=int, default=10)
    parser.add_argument("--candidate", default="additive")
    known = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = [
        row
        for k in range(known.tables)
        for row in simulate(2_000 + k, known.histories, known.candidate)
    ]
    print(f"{len(rows)} histories")
    print(pd.DataFrame(rows).astype(float).mean().round(3).to_string())


if __name__ == "__main__":
    main()
