"""Coverage of cross-validated trade-offs and prices of limits, by simulation.

    python experiments/coverage/trade_offs.py [--tables 40] [--seed 1] [--confidence 0.9]

Tables of 400 rows are drawn from the law of `decisions.py`. Points of `Evidence.trade_off` at
nine probabilities of the highest class are compared with what the model fitted to the whole table
does at the same probability on 20,000 further rows: printed is the share within two standard
errors, by candidate, which should be 95 %. Then each limit of `Evidence.price` nearest to .3 and
.1 is asked of `select`, and printed is how often its share on the further rows is below the limit
(with the confidence asked for) and below the share shown plus one
standard error.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
import pandas as pd

from experiments.coverage.decisions import LABELS, N_NEW, decision, draw
from moselect.costs import Costs

CANDIDATES = ("linear", "additive", "proportional odds", "ensemble")
CUTS = np.arange(1, 10) / 10.0
COSTS = Costs((1.0, 1.0, 5.0))
LIMITS = (0.3, 0.1)
MISTAKE = f"{LABELS[-1]}<{LABELS[-1]}"
N_ROWS = 400


def simulate(
    seed: int, confidence: float
) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Return for one table points of trade-offs and limits, shown and true."""
    rng = np.random.default_rng(seed)
    X, y = draw(N_ROWS, 1.0, rng)
    new, truth = draw(N_NEW, 1.0, rng)
    chosen, high = decision(X, y), truth == LABELS[-1]
    points, limits = [], []
    for candidate in CANDIDATES:
        model = chosen.select(COSTS, candidate)
        table = model.evidence.trade_off(LABELS[-1]).query("model == @candidate")
        tail = model.predict_proba(new)[:, -1]
        for cut in CUTS:
            row = table[table["cut"] >= cut].iloc[-1]
            called = tail >= cut
            for what, true in (
                ("miss_rate", np.mean(~called[high])),
                ("false_alarm_rate", np.mean(called[~high])),
            ):
                off = abs(row[what] - true) / row[f"{what}_error"]
                points.append(
                    {"candidate": candidate, "share": what, "within": off <= 2.0}
                )
        prices = model.evidence.price(MISTAKE, confidence).query("model == @candidate")
        for limit in LIMITS if len(prices) else ():
            row = prices.iloc[(prices["limit"] - limit).abs().argmin()]
            most = min(row["limit"] + 1e-9, 0.999)
            taken = chosen.select(
                COSTS, candidate, {MISTAKE: most}, confidence=confidence
            )
            share = float(np.mean(taken.predict(new)[high] != LABELS[-1]))
            shown = taken.evidence.limits[0]
            limits.append(
                {
                    "candidate": candidate,
                    "limit": limit,
                    "met": share <= shown.most,
                    "one error": share <= shown.share + shown.std_error,
                }
            )
    return points, limits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--confidence", type=float, default=0.9)
    known = parser.parse_args()
    warnings.simplefilter("ignore")
    points, limits = [], []
    for table in range(known.tables):
        found = simulate(1_000 * known.seed + table, known.confidence)
        points += found[0]
        limits += found[1]
    within = pd.DataFrame(points).pivot_table(
        "within", "candidate", "share", "mean", margins=True
    )
    print(within.round(3).to_string())
    met = (
        pd.DataFrame(limits).groupby(["candidate", "limit"])[["met", "one error"]].mean()
    )
    print(met.round(3).to_string())
    print(pd.DataFrame(limits)[["met", "one error"]].mean().round(3).to_string())


if __name__ == "__main__":
    main()
