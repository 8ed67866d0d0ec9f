"""How long trade-offs at a border and prices of a limit take.

python experiments/benchmarks/trade_off.py [--rows 20000] [--kinds 5] [--classes 5]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from moselect import cost_matrix
from moselect.decision.limits import read_limits
from moselect.decision.price import price
from moselect.decision.trade_off import trade_off
from moselect.samples import Samples


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--kinds", type=int, default=5)
    parser.add_argument("--classes", type=int, default=5)
    known = parser.parse_args()
    rng, r, n = np.random.default_rng(1), known.classes, known.rows
    codes, classes = rng.integers(0, r, n), np.arange(r)
    samples = Samples(np.empty((n, 0)), codes, classes)
    proba = {f"kind {k}": rng.dirichlet(np.ones(r), n) for k in range(known.kinds)}
    decided = {kind: each.argmax(axis=1) for kind, each in proba.items()}
    costs = cost_matrix([1.0] * (r - 1) + [5.0])
    (limit,) = read_limits({f"{r - 1}<{r - 1}": 0.5}, classes)
    started = time.perf_counter()
    points = len(trade_off(samples, proba, r - 1, costs))
    between = time.perf_counter()
    rows = len(price(samples, proba, decided, limit, costs))
    ended = time.perf_counter()
    print(f"trade-off: {points:,} points in {between - started:.2f} s")
    print(f"price: {rows:,} rows in {ended - between:.2f} s")


if __name__ == "__main__":
    main()
