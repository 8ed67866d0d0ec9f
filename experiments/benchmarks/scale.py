"""Time, memory and hypervolume of the search by rows, features and classes.

    OMP_NUM_THREADS=1 python experiments/benchmarks/scale.py [--rows 1000 10000 ...] [--jobs 2]
    OMP_NUM_THREADS=1 python experiments/benchmarks/scale.py --full       # shares, full searches
    OMP_NUM_THREADS=1 python experiments/benchmarks/scale.py --nsga2     # beside pymoo's NSGA2
    OMP_NUM_THREADS=1 python experiments/benchmarks/scale.py --parts      # where time goes
    OMP_NUM_THREADS=1 python experiments/benchmarks/scale.py --walls      # on a quiet machine
    python experiments/benchmarks/scale.py --draw                         # the picture of a table

Each row is a fresh process with a warm cache of kernels, which searches without folds. Seconds are
of the wall; processor seconds, of all threads, hardly depend on what else the machine does. Memory
is the growth of the peak resident memory, the caller's features included. The hypervolume above
chance is approximated for all fronts alike, because exact and approximate figures differ a little.
10,000,000 rows need ``--rows 10000000``. Rows are added to ``--table``, by default scale.csv
beside this file, from which the picture is drawn.

``--walls`` prints the few figures that need a quiet machine, in about five minutes: the default
search of large tables with and without its folds, the gain by a second thread, and
``moselect search boston``.
"""

from __future__ import annotations

import argparse
import cProfile
import multiprocessing
import pstats
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from moselect import ParetoSearch
from moselect.search import hypervolume_above_chance

Table = tuple[np.ndarray, np.ndarray]
Figures = dict[str, float]

ROWS = (1_000, 10_000, 100_000, 1_000_000)
FEATURES = (5, 20, 100)
CLASSES = (2, 5, 10, 30)
USUAL = (20, 5)  # features and classes, where the other of the two varies
PIECE = 50_000  # rows drawn at a time
TABLE = Path(__file__).with_name("scale.csv")
PICTURE = Path(__file__).parents[1] / "figures" / "scale.png"

PARTS = {  # what the names of functions stand for, of those whose time is shown
    "make_table": "make the table",
    "from_table": "check the table",
    "sample_rows": "draw samples",
    "make_problem": "whiten, sort by class",
    "ready_made": "ready-made models",
    "evaluate": "measure directions",
    "gradients": "climb (gradients)",
    "crossings": "crossings",
    "add": "archive",
    "_carry_over": "carry over to the next sample",
    "front_of_archive": "thresholds and confusions of the front",
    "search_folds": "folds, all of it",
    "select": "select, all of it",
}


def make_table(n: int, p: int, r: int) -> Table:
    """Draw correlated and skewed features, of which five count, and ranks of unequal shares."""
    rng = np.random.default_rng(0)
    X, latent = np.empty((n, p)), np.empty(n)
    for start in range(0, n, PIECE):
        part = X[start : start + PIECE]
        part[:] = rng.standard_normal(part.shape)
        part[:, 1] += 0.5 * part[:, 0]
        part[:, 2] = np.exp(part[:, 2] / 2.0)
        noise = 2.0 + (part[:, 4] > 0.0)
        latent[start : start + PIECE] = (
            part[:, :5].sum(axis=1)
            + 0.5 * part[:, 0] * part[:, 1]
            + noise * rng.standard_normal(len(part))
        )
    shares = np.arange(r, 0, -1) / (r * (r + 1) / 2)
    return X, np.digitize(latent, np.quantile(latent, np.cumsum(shares)[:-1]))


def search(table: Table, **settings: Any) -> Figures:
    started, used = time.perf_counter(), time.process_time()
    front = ParetoSearch(**{"cv": None, "random_state": 1} | settings).fit(*table).front_
    return {
        "seconds": time.perf_counter() - started,
        "cpu": time.process_time() - used,
        "models": len(front),
        "volume": hypervolume_above_chance(front.objectives, front.chance, exact_up_to=0),
    }


def search_by_nsga2(table: Table, n_iterations: int = 120) -> Figures:
    """Search by pymoo's NSGA2 as its users would: on our problem, its own population as front."""
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.optimize import minimize

    from moselect.pymoo_adapter import OrdinalProblem

    started, used = time.perf_counter(), time.process_time()
    problem = OrdinalProblem(*table)
    result = minimize(problem, NSGA2(100), ("n_gen", n_iterations), seed=1)
    front = problem.front(result.X)
    return {
        "seconds": time.perf_counter() - started,
        "cpu": time.process_time() - used,
        "models": len(front),
        "volume": hypervolume_above_chance(front.objectives, front.chance, exact_up_to=0),
    }


def peak() -> float:
    """Bytes of this process alone, as Linux counts them."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(
        1024.0 * int(line.split()[1]) for line in lines if line.startswith("VmHWM")
    )


def _measure(
    job: Callable[..., Figures], size: tuple[int, int, int], settings, queue
) -> None:
    job(make_table(6_000, *size[1:]), **settings | {"n_iterations": 12})
    before = peak()
    found = job(make_table(*size), **settings)
    found["memory"] = (peak() - before) / 2**20
    queue.put(found)


def measure(
    job: Callable[..., Figures], size: tuple[int, int, int], **settings: Any
) -> Figures:
    context = multiprocessing.get_context("spawn")
    queue = context.SimpleQueue()
    process = context.Process(target=_measure, args=(job, size, settings, queue))
    process.start()
    found = queue.get()
    process.join()
    return found


def show(
    name: str, size: tuple[int, int, int], found: Figures, share: float | None = None
) -> None:
    n, p, r = size
    print(
        f"{name:10}{n:>11,}{p:>10}{r:>9}{found['seconds']:>10.1f}{found['cpu']:>10.1f}"
        f"{found['memory']:>10.0f}{found['models']:>8,}{found['volume']:>13.4g}"
        + ("" if share is None else f"{100.0 * share:>10.1f} %"),
        flush=True,
    )


def keep(path: Path, name: str, size: tuple[int, int, int], found: Figures) -> None:
    """Add a row to the table in a file."""
    row = {
        "search": name,
        **dict(zip(("rows", "features", "classes"), size, strict=True)),
        **found,
    }
    pd.DataFrame([row]).to_csv(path, mode="a", header=not path.exists(), index=False)


def draw(path: Path) -> None:
    """Draw processor seconds over rows, for the usual features and classes."""
    import matplotlib.pyplot as plt

    table = pd.read_csv(path)
    usual = table[(table["features"] == USUAL[0]) & (table["classes"] == USUAL[1])]
    figure, ax = plt.subplots(figsize=(6.0, 4.0), layout="constrained")
    for name, label in (
        ("auto", "moselect"),
        ("all rows", "moselect, all rows throughout"),
        ("nsga2", "pymoo's NSGA2 on the same problem"),
    ):
        rows = usual[usual["search"] == name].groupby("rows")["cpu"].median()
        if len(rows):
            ax.loglog(rows.index, rows, marker="o", label=label)
    ax.set(
        xlabel=f"rows ({USUAL[0]} features, {USUAL[1]} classes)",
        ylabel="processor seconds",
    )
    ax.legend(frameon=False)
    figure.savefig(PICTURE, dpi=150)


def show_walls() -> None:
    """Print seconds of the wall that say something on a quiet machine only."""
    print(f"{'':44}{'asked':>10}{'wall s':>10}{'cpu s':>10}")

    def line(what: str, criteria: str, found: Figures) -> None:
        print(
            f"{what:44}{criteria:>10}{found['seconds']:>10.1f}{found['cpu']:>10.1f}",
            flush=True,
        )

    for n, criteria in ((200_000, "<= 15"), (1_000_000, "<= 60")):
        for cv in (None, 5):
            folds = "without folds" if cv is None else "with folds"
            found = measure(search, (n, *USUAL), n_jobs=2, cv=cv)
            line(f"{n:,} rows, two threads, {folds}", criteria, found)
    for n in (20_000, 200_000):
        one, two = (measure(search, (n, *USUAL), n_jobs=jobs) for jobs in (1, 2))
        line(f"{n:,} rows, one thread", "", one)
        line(f"{n:,} rows, two threads", "", two)
        gain = one["seconds"] / two["seconds"]
        print(f"{f'{n:,} rows, gain by the second thread':44}{'>= 1.7':>10}{gain:>10.2f}")
    with tempfile.TemporaryDirectory() as folder:
        code = "from moselect.cli import main; main()"
        arguments = ["search", "boston", "--out", f"{folder}/run", "--force"]
        command = [sys.executable, "-c", code, *arguments]
        seconds = []
        for _ in range(4):
            started = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            seconds.append(time.perf_counter() - started)
    print(
        f"{'moselect search boston, best of three':44}{'<= 2.6':>10}{min(seconds[1:]):>10.2f}"
    )


def show_parts(n: int, folds: bool) -> None:
    """Print the seconds of the parts of one search in one thread."""
    X, y = make_table(n, *USUAL)
    ParetoSearch(n_iterations=3, random_state=1).fit(X[:6_000], y[:6_000]).select()
    profile = cProfile.Profile()
    profile.enable()
    found = ParetoSearch(random_state=1, cv=5 if folds else None).fit(X, y)
    if folds:
        found.select()
    profile.disable()
    stats = pstats.Stats(profile)
    times: dict[str, float] = {}
    for (path, _, function), (_, _, _, cumulative, _) in stats.stats.items():
        if function in PARTS and "moselect" in path:
            times[function] = times.get(function, 0.0) + cumulative
    print(f"{n:,} rows, {'with' if folds else 'without'} folds: {stats.total_tt:.1f} s")
    for function, words in PARTS.items():
        if function in times:
            print(f"    {words:42}{times[function]:>8.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS)
    parser.add_argument("--features", type=int, nargs="+", default=FEATURES)
    parser.add_argument("--classes", type=int, nargs="+", default=CLASSES)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--full", action="store_true", help="also search all rows throughout"
    )
    parser.add_argument("--nsga2", action="store_true", help="also search by NSGA2")
    parser.add_argument("--parts", action="store_true", help="only show where time goes")
    parser.add_argument(
        "--walls", action="store_true", help="only what needs a quiet machine"
    )
    parser.add_argument(
        "--draw", action="store_true", help="only draw the picture of the table"
    )
    parser.add_argument("--table", type=Path, default=TABLE)
    given = parser.parse_args()
    if given.walls:
        show_walls()
        return
    if given.draw:
        draw(given.table)
        return
    if given.parts:
        for n in given.rows:
            show_parts(n, folds=False)
            show_parts(n, folds=True)
        return
    print(
        f"{'search':10}{'rows':>11}{'features':>10}{'classes':>9}{'seconds':>10}{'cpu s':>10}"
        f"{'MiB':>10}{'models':>8}{'hypervolume':>13}{'share':>12}"
    )
    sizes = [(p, USUAL[1]) for p in given.features] + [
        (USUAL[0], r) for r in given.classes
    ]
    for n in given.rows:
        for p, r in dict.fromkeys(sizes):
            size, settings = (n, p, r), {"n_jobs": given.jobs}
            found = measure(search, size, **settings)
            full = None
            if given.full:
                full = measure(search, size, sampling=None, **settings)
                show("all rows", size, full)
                keep(given.table, "all rows", size, full)
            share = None if full is None else found["volume"] / full["volume"]
            show("auto", size, found, share)
            keep(given.table, "auto", size, found)
            if given.baselines:
                baseline = measure(search_by_nsga2, size)
                show(
                    "nsga2",
                    size,
                    baseline,
                    baseline["volume"] / (full or found)["volume"],
                )
                keep(given.table, "nsga2", size, baseline)


if __name__ == "__main__":
    main()
