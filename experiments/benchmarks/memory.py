"""Memory of the search on a large table, in multiples of its features.

    python experiments/benchmarks/memory.py [--samples 1000000]

Each row is a fresh process: growth of the peak resident memory since a small search, divided by
the size of X (float64). The caller's X counts as well.
"""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

import moselect
from moselect.tables import read_table

FEATURES = 20
EVALUATIONS = 30


def peak() -> float:
    """Bytes of this process alone, as Linux counts them (getrusage adds its parent's)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(
        1024.0 * int(line.split()[1]) for line in lines if line.startswith("VmHWM")
    )


def make_table(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = np.empty((n, FEATURES))
    y = np.empty(n, dtype=np.int64)
    for start in range(0, n, 10_000):
        part = X[start : start + 10_000]
        part[:] = rng.standard_normal(part.shape)
        signal = part[:, :5].sum(axis=1) + 2.0 * rng.standard_normal(len(part))
        y[start : start + 10_000] = np.digitize(signal, [-2.0, 0.0, 2.0, 4.0])
    return X, y


def search(X: np.ndarray | pd.DataFrame, y: np.ndarray) -> None:
    moselect.ParetoSearch(
        n_particles=10, max_evaluations=EVALUATIONS, random_state=0
    ).fit(X, y)


def search_array(n: int, path: Path) -> None:
    search(*make_table(n))


def search_frame(n: int, path: Path) -> None:
    X, y = make_table(n)
    search(pd.DataFrame(X, copy=False).add_prefix("f"), y)


def read_csv(n: int, path: Path) -> None:
    read_table(path)


def search_csv(n: int, path: Path) -> None:
    data = moselect.datasets.load_dataset(path)
    search(data.X, data.y)


def search_parquet(n: int, path: Path) -> None:
    data = moselect.datasets.load_dataset(path.with_suffix(".parquet"))
    search(data.X, data.y)


def search_narrow_parquet(n: int, path: Path) -> None:
    data = moselect.datasets.load_dataset(path.with_suffix(".float32.parquet"))
    search(data.X, data.y)


def only_make(n: int, path: Path) -> None:
    make_table(n)


def _measure(job: Callable[[int, Path], None], n: int, path: Path, queue: object) -> None:
    search(*make_table(2_000))  # the compiler and the kernels take room of their own
    before = peak()
    job(n, path)
    queue.put((peak() - before) / (8.0 * n * FEATURES))


def measure(job: Callable[[int, Path], None], n: int, path: Path) -> float:
    context = multiprocessing.get_context("spawn")
    queue = context.SimpleQueue()
    process = context.Process(target=_measure, args=(job, n, path, queue))
    process.start()
    process.join()
    return float(queue.get())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=1_000_000)
    n = parser.parse_args().samples
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.csv"
        table = pd.DataFrame((made := make_table(n))[0]).add_prefix("f").assign(y=made[1])
        for start in range(0, n, 50_000):
            part = table[start : start + 50_000]
            part.to_csv(path, index=False, mode="a", header=start == 0)
        table.to_parquet(path.with_suffix(".parquet"))
        narrow = {name: np.float32 for name in table.columns if name != "y"}
        table.astype(narrow).to_parquet(path.with_suffix(".float32.parquet"))
        del table, made
        print(
            f"{n:,} samples, {FEATURES} features: X takes {8 * n * FEATURES / 2**20:.0f} MiB"
        )
        print(f"{'':34}{'goal':>8}{'x size of X':>14}")
        for name, goal, job in (
            ("make X", "", only_make),
            ("search an array", "<= 4", search_array),
            ("search a DataFrame", "<= 4", search_frame),
            ("read the CSV file", "< 2", read_csv),
            ("read the CSV file and search", "<= 4", search_csv),
            ("read Parquet and search", "<= 2", search_parquet),
            ("read Parquet of float32 and search", "<= 2", search_narrow_parquet),
        ):
            print(f"{name:34}{goal:>8}{measure(job, n, path):>14.2f}", flush=True)


if __name__ == "__main__":
    main()
