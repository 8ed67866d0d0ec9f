"""Time and memory of a default `search` and `select`, all candidates with their evidence.

    python -m experiments.benchmarks.deciding [--rows 200000]

By default 4,000 rows of mixed columns, and 20,000 and 200,000 rows of numbers.
"""

from __future__ import annotations

import argparse
import resource
import time
import warnings

import numpy as np
import pandas as pd

from moselect import ParetoSearch

# rows, and whether six of the columns are no numbers
PROCESSES = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
SIZES = ((4_000, True), (20_000, False), (200_000, False))


def draw(n_rows: int, mixed: bool) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw 20 columns and classes 1 to 4."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(n_rows, 20)), columns=[f"x{k}" for k in range(20)])
    score = X["x0"] + X["x1"] * X["x2"] + np.abs(X["x3"])
    for name, n_levels in (
        {"x10": 6, "x11": 12, "x12": 40, "x13": 200}.items() if mixed else ()
    ):
        levels = rng.integers(0, n_levels, n_rows)
        score = score + 0.6 * rng.normal(size=n_levels)[levels]
        X[name] = [f"level {level}" for level in levels]
    if mixed:
        X["x14"] = [f"{m // 60}:{m % 60:02d}" for m in rng.integers(480, 1_200, n_rows)]
        days = pd.to_timedelta(rng.integers(0, 700, n_rows), unit="D")
        X["x15"] = (pd.Timestamp("2024-01-01") + days).strftime("%Y-%m-%d")
        X.loc[rng.random(n_rows) < 0.1, "x16"] = np.nan
    return X, np.digitize(score + rng.logistic(size=n_rows), [0.0, 1.5, 3.0]) + 1


def main() -> None:
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int)
    rows = parser.parse_args().rows
    for n_rows, mixed in SIZES if rows is None else ((rows, False),):
        X, y = draw(n_rows, mixed)
        started = time.perf_counter()
        search = ParetoSearch(random_state=1).fit(X, y)
        searched = time.perf_counter()
        model = search.select([1, 1, 2, 5])
        seconds = time.perf_counter() - searched
        search.select([1, 2, 3, 4])
        later = time.perf_counter() - searched - seconds
        # so far, of this process and the largest other one
        peaks = [resource.getrusage(who).ru_maxrss / 2**20 for who in PROCESSES]
        print(
            f"{n_rows:,} x 20{', mixed' * mixed}: search {searched - started:.1f} s, "
            f"select {seconds:.1f} s ({model.evidence.selected}), other costs {later:.1f} s, "
            f"{peaks[0]:.1f} and {peaks[1]:.1f} GiB"
        )


if __name__ == "__main__":
    main()
