"""Bytes that workers of a Dask cluster receive, and their time beside that of one process.

    python -m experiments.benchmarks.cluster [--rows 4000] [--repeats 3] [--defaults]

Each command works on a table of 20 numbers and four classes: in this process alone, and on two new
workers of one thread that have done the same for other rows. Printed are the bytes of all messages
that a worker received, as multiples of the table, wall seconds, and processor seconds of this
process and of each worker. The path is the sum of the first and the largest of the others, which
two idle cores take at least, as a multiple of the seconds alone. Dask's own threads take some
processor seconds each second, which are measured while the cluster is idle, and count for the
seconds of the path, not for those in which other processes had the cores. Unless ``--defaults``,
the active memory manager is stopped, which drops copies that no waiting fit needs, and workers
keep memory that was freed, which Dask's MALLOC_TRIM_THRESHOLD_ returns to the system at once.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from copy import deepcopy

import dask
import distributed.comm.tcp
import joblib
import numpy as np
import pandas as pd
from distributed import Client, LocalCluster, Worker
from distributed.utils import nbytes
from sklearn.linear_model import LogisticRegression

import moselect
from moselect import ParetoSearch

COSTS = [1, 2, 5, 10]
ENVIRONMENT = "distributed.nanny.pre-spawn-environ"
# All that Dask sets but MALLOC_TRIM_THRESHOLD_.
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), 1)
IDLE_SECONDS = 5.0
SEARCH = {"n_particles": 50, "n_iterations": 5, "random_state": 1}
Command = Callable[[ParetoSearch, pd.DataFrame, pd.Series], object]


def search(_: ParetoSearch, X: pd.DataFrame, y: pd.Series) -> object:
    """Search four runs, without cross-validation."""
    return ParetoSearch(n_runs=4, cv=None, n_jobs=-1, **SEARCH).fit(X, y)


def select(searched: ParetoSearch, _X: pd.DataFrame, _y: pd.Series) -> object:
    """Cross-validate all candidates."""
    return searched.select(class_costs=COSTS)


def compare(_: ParetoSearch, X: pd.DataFrame, y: pd.Series) -> object:
    """Compare three models."""
    models = ["linear", "scorecard", "random_forest"]
    return moselect.compare(models, X, y, costs=COSTS, random_state=1)


def tune(_: ParetoSearch, X: pd.DataFrame, y: pd.Series) -> object:
    """Tune one model in eight trials."""
    space = {"C": np.logspace(-3.0, 1.0, 8).tolist()}
    models = {"logistic": (LogisticRegression(), space)}
    return moselect.tune(models, X, y, n_trials=8, random_state=1)


def searched(n: int, seed: int) -> tuple[ParetoSearch, pd.DataFrame, pd.Series]:
    """Draw n rows of 20 numbers with four classes, and search them."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 20)), columns=[f"x{j}" for j in range(20)])
    score = X.iloc[:, :6].sum(axis=1) + rng.logistic(size=n)
    y = pd.Series(np.digitize(score, [-1.0, 1.0, 4.0]) + 1, name="grade")
    return ParetoSearch(**SEARCH).fit(X, y), X, y


def count_bytes(dask_worker: Worker) -> None:
    """Count the bytes that a worker receives."""
    decode = distributed.comm.tcp.from_frames
    dask_worker.n_received = 0

    async def counted(
        frames: list[bytes], *arguments: object, **options: object
    ) -> object:
        dask_worker.n_received += sum(map(nbytes, frames))
        return await decode(frames, *arguments, **options)

    distributed.comm.tcp.from_frames = counted


def used(dask_worker: Worker) -> tuple[int, float]:
    """Return the bytes that a worker received so far, and its processor seconds."""
    return dask_worker.n_received, time.process_time()


def idle_share(client: Client) -> float:
    """Return the processor seconds a second of this process and a worker without tasks."""
    before = client.run(time.process_time)
    start = time.process_time()
    time.sleep(IDLE_SECONDS)
    here = time.process_time() - start
    after = client.run(time.process_time)
    return (here + max(after[key] - before[key] for key in after)) / IDLE_SECONDS


def measure(command: Command, n: int, has_defaults: bool) -> None:
    """Print a line for a command in this process and on two workers."""
    first = searched(n, 0)
    other = searched(n, 1)
    start = time.process_time()
    with joblib.parallel_config(backend="sequential"):
        command(*deepcopy(other))
    alone = time.process_time() - start
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
        joblib.parallel_config(backend="dask"),
    ):
        if not has_defaults:
            client.amm.stop()
        client.run(count_bytes)
        command(*first)
        idle = idle_share(client)
        before = client.run(used)
        start = time.process_time()
        started = time.perf_counter()
        command(*other)
        wall = time.perf_counter() - started
        here = time.process_time() - start
        after = client.run(used)
    table = other[1].to_numpy().nbytes
    differences = [np.subtract(after[key], before[key]) for key in after]
    tables = " ".join(f"{sent / table:5.2f}" for sent, _ in differences)
    seconds = [spent for _, spent in differences]
    path = (here + max(seconds) - idle * wall) / (1.0 - idle)
    print(
        f"{command.__name__:8} tables {tables}  wall {wall:5.1f} s  alone {alone:5.1f}, here "
        f"{here:5.1f}, workers {seconds[0]:5.1f} {seconds[1]:5.1f}: path {path / alone:.2f}",
        flush=True,
    )


def main() -> None:
    """Run the benchmark."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=4_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--defaults", action="store_true")
    arguments = parser.parse_args()
    if not arguments.defaults:
        dask.config.set({ENVIRONMENT: THREADS})
    for command in (search, select, compare, tune):
        for _ in range(arguments.repeats):
            measure(command, arguments.rows, arguments.defaults)


if __name__ == "__main__":
    main()
