"""Ranking measures of a Parquet folder that is read part by part, beside sorting the whole.

``python -m experiments.benchmarks.streamed_measures --rows 100000000`` writes a folder of scores
for five classes, measures it each way in a process of its own, prints a table, and deletes the
folder. Seconds of the processor are beside those of the clock, which other work slows down.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from moselect.datasets import open_stream
from moselect.metrics import RankingCounts, count_rankings, ranking_bounds

N_CLASSES = 5
ROWS_A_FILE = 5_000_000
DISTRIBUTIONS = ("normal", "ties")


def write_scores(folder: Path, n_rows: int, distribution: str) -> None:
    rng = np.random.default_rng(0)
    for number, start in enumerate(range(0, n_rows, ROWS_A_FILE)):
        size = min(ROWS_A_FILE, n_rows - start)
        y = rng.integers(0, N_CLASSES, size, dtype=np.int8)
        score = y + 2.0 * rng.standard_normal(size)
        if distribution == "ties":
            score = np.round(score, 2)
        table = pa.table({"y": y, "score": score})
        pq.write_table(table, folder / f"part-{number:04d}.parquet", compression="none")


def counted(folder: Path) -> dict:
    passes: list[float] = []

    def fill(counts: RankingCounts) -> RankingCounts:
        start = time.process_time()
        for part in open_stream(folder, ["y", "score"], numbers=["score"]):
            counts.update(part["y"], part["score"])
        passes.append(time.process_time() - start)
        return counts

    bounds = ranking_bounds(count_rankings(fill, RankingCounts(range(N_CLASSES))))
    width = float((bounds["most"] - bounds["least"]).max())
    return {
        "u_pairs": bounds.loc["u_pairs", "estimate"],
        "width": width,
        "passes": passes,
    }


def polars_sort(folder: Path) -> dict:
    import polars as pl

    table = pl.read_parquet(folder / "*.parquet").sort("score")
    return {
        "u_pairs": _u_pairs(table["y"].to_numpy(), table["score"].to_numpy()),
        "width": 0.0,
    }


def duckdb_sort(folder: Path) -> dict:
    """U_pairs from counts of equal scores and running sums over them, in SQL."""
    import duckdb

    classes = range(N_CLASSES)
    counts = ", ".join(f"count(*) FILTER (y = {k}) AS n{k}" for k in classes)
    sums = ", ".join(
        f"sum(n{k}) OVER (ORDER BY score ROWS UNBOUNDED PRECEDING) - n{k} AS b{k}"
        for k in classes
    )
    right = " + ".join(f"n{k}::DOUBLE * b{j}" for k in classes for j in range(k))
    totals = ", ".join(f"sum(n{k})::DOUBLE" for k in classes)
    row = duckdb.sql(
        f"WITH c AS (SELECT score, {counts} FROM '{folder}/*.parquet' GROUP BY score), "
        f"s AS (SELECT *, {sums} FROM c) SELECT sum({right}), {totals} FROM s"
    ).fetchall()[0]
    n = np.array(row[1:])
    return {"u_pairs": row[0] / ((n.sum() ** 2 - (n**2).sum()) / 2.0), "width": 0.0}


def _u_pairs(y: np.ndarray, score: np.ndarray) -> float:
    """U_pairs of sorted scores."""
    starts = np.flatnonzero(np.append(True, score[1:] != score[:-1]))
    right, before, n = 0.0, np.zeros(len(starts)), []
    for k in range(N_CLASSES):
        here = np.add.reduceat((y == k).astype(np.float64), starts)
        right += here @ before
        before += np.cumsum(here) - here
        n.append(here.sum())
    n = np.array(n)
    return right / ((n.sum() ** 2 - (n**2).sum()) / 2.0)


WAYS = {
    "counts, 2 passes": counted,
    "Polars, sort": polars_sort,
    "DuckDB, group and window": duckdb_sort,
}


def measure(way: str, folder: Path) -> dict:
    """Run one way in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "experiments.benchmarks.streamed_measures",
        "--way",
        way,
    ]
    done = subprocess.run([*command, "--folder", folder], capture_output=True, text=True)
    if done.returncode:
        return {
            "failed": done.stderr.strip().splitlines()[-1:] or [f"exit {done.returncode}"]
        }
    return json.loads(done.stdout.splitlines()[-1])


def run_way(way: str, folder: Path) -> None:
    ranking_bounds(RankingCounts([0, 1]).update([0, 1], [0.0, 1.0]))  # compiles
    clock, work = time.perf_counter(), time.process_time()
    found = WAYS[way](folder)
    found["seconds"] = time.perf_counter() - clock
    found["processor"] = time.process_time() - work
    found["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(json.dumps(found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument(
        "--repeats", type=int, default=1, help="take the best of so many runs"
    )
    parser.add_argument("--only", choices=DISTRIBUTIONS)
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.way:
        run_way(options.way, options.folder)
        return
    print(f"{options.rows:,} rows, {N_CLASSES} classes")
    print("| scores | way | s | processor s | M/s, each pass | GiB | u_pairs | width |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for distribution in [options.only] if options.only else DISTRIBUTIONS:
        with tempfile.TemporaryDirectory() as name:
            write_scores(Path(name), options.rows, distribution)
            for way in WAYS:
                runs = [measure(way, Path(name)) for _ in range(options.repeats)]
                best = min(runs, key=lambda run: run.get("processor", np.inf))
                if "failed" in best:
                    print(f"| {distribution} | {way} | failed: {best['failed']} |")
                    continue
                rates = ", ".join(
                    f"{options.rows / s / 1e6:.0f}" for s in best.get("passes", [])
                )
                print(
                    f"| {distribution} | {way} | {best['seconds']:.1f} | {best['processor']:.1f} "
                    f"| {rates} | {best['memory']:.2f} | {best['u_pairs']:.9f} "
                    f"| {best['width']:.1e} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
