"""How long trade-offs at a border and prices of a limit take, of the evidence of a selection.

    python experiments/benchmarks/trade_off.py [--rows 20000] [--candidates 5]

The evidence is that of a small search with rows and probabilities put in its place.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

import numpy as np
import pandas as pd

import moselect


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--candidates", type=int, default=5)
    known = parser.parse_args()
    X, y = moselect.datasets.load_boston()
    search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    small = search.select(class_costs=[1, 1, 1, 5, 5], model="linear").evidence
    rng, classes = np.random.default_rng(1), small.samples.classes
    proba = {
        f"candidate {k}": rng.dirichlet(np.ones(len(classes)), known.rows)
        for k in range(known.candidates)
    }
    codes = rng.integers(0, len(classes), known.rows)
    samples = replace(small.samples, X=np.empty((known.rows, 0)), codes=codes, rows=None)
    predicted = pd.DataFrame(
        {candidate: classes[each.argmax(axis=1)] for candidate, each in proba.items()}
    )
    evidence = replace(small, samples=samples, probabilities=proba, predicted=predicted)
    started = time.perf_counter()
    points = len(evidence.trade_off(classes[-1]))
    between = time.perf_counter()
    rows = len(evidence.price(f"{classes[-1]}<{classes[-1]}"))
    ended = time.perf_counter()
    print(f"trade-off: {points:,} points in {between - started:.2f} s")
    print(f"price: {rows:,} rows in {ended - between:.2f} s")


if __name__ == "__main__":
    main()
