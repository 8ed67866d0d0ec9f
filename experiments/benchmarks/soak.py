"""Print whether results and resources stay the same in company: many fits, threads, processes.

Run by hand: ``python experiments/benchmarks/soak.py [--fits 1000] [--commands 24]``. It prints one
row a setting: what was done, what had to hold, and whether it did. It ends with exit code 1 if
anything did not.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import psutil

from moselect import ParetoSearch

Row = tuple[str, str, str, bool]
AT_ONCE = 8
MOST_GROWTH = 0.05  # of memory, from the first tenth of the fits to the last
SCRIPT = Path(sys.executable).with_name("moselect")


def table(seed: int) -> tuple[pd.DataFrame, pd.Series]:
    """Draw 60 samples of three classes with three features."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(60, 3)), columns=["a", "b", "c"])
    y = np.digitize(X["a"] + X["b"] / 2 + rng.normal(scale=0.7, size=60), [-0.6, 0.6]) + 1
    return X, pd.Series(y, name="grade")


def fit(seed: int) -> str:
    """Search, with fronts of folds, and return all that was found as text, to the last bit."""
    search = ParetoSearch(n_particles=10, n_iterations=3, cv=3, random_state=seed).fit(
        *table(seed)
    )
    model = search.select(class_costs=[1, 1, 5])
    fronts = (search.front_, *(search.front_.fold_fronts or ()))
    texts = [front.to_frame().to_csv() for front in fronts]
    return "".join([*texts, repr(model.coef_.tolist()), repr(model.thresholds_.tolist())])


def many_fits(n: int) -> Iterator[Row]:
    """Fit over and over; compare what is used after a tenth of the fits and at the end."""
    process = psutil.Process()

    def used() -> tuple[float, int, int]:
        gc.collect()
        return process.memory_info().rss / 2**20, process.num_threads(), process.num_fds()

    first = max(1, n // 10)
    for seed in range(first):
        fit(seed)
    begin = used()
    for seed in range(first, n):
        fit(seed)
    end = used()
    growth = end[0] / begin[0] - 1.0
    memory = f"{begin[0]:.1f} MiB, then {end[0]:.1f} ({growth:+.1%})"
    yield f"{n:,} fits in one process", "memory within 5 %", memory, growth <= MOST_GROWTH
    for what, i in (("threads", 1), ("open files", 2)):
        yield "", f"no more {what}", f"{begin[i]}, then {end[i]}", end[i] <= begin[i]


def web_server(expected: list[str]) -> list[str]:
    """Answer requests by fits in the threads of a web server."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = fit(int(self.path[1:])).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))

        def ask(seed: int) -> str:
            return direct.open(f"{address}/{seed}").read().decode()

        with ThreadPoolExecutor(AT_ONCE) as clients:
            found = list(clients.map(ask, range(len(expected))))
        server.shutdown()
    return found


def in_processes(method: str) -> list[str]:
    with multiprocessing.get_context(method).Pool(2) as pool:
        return pool.map(fit, range(AT_ONCE))


def in_joblib(backend: str) -> list[str]:
    tasks = (joblib.delayed(fit)(seed) for seed in range(AT_ONCE))
    return list(joblib.Parallel(n_jobs=2, backend=backend)(tasks))


def in_threads() -> list[str]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(fit, range(AT_ONCE)))


def on_dask() -> list[str]:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=2, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        return list(client.gather(client.map(fit, range(AT_ONCE))))


def in_company() -> Iterator[Row]:
    """Fit the same eight searches alone and in every kind of company."""
    alone = [fit(seed) for seed in range(AT_ONCE)]
    handlers = {
        number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)
    }
    settings: dict[str, Callable[[], list[str]]] = {
        "eight searches in threads": in_threads,
        "the threads of a web server": lambda: web_server(alone),
        "joblib, threading": lambda: in_joblib("threading"),
        "joblib, loky": lambda: in_joblib("loky"),
        "joblib, multiprocessing": lambda: in_joblib("multiprocessing"),
        "processes, fork": lambda: in_processes("fork"),
        "processes, spawn": lambda: in_processes("spawn"),
        "Dask, two workers of two threads": on_dask,
    }
    for name, run in settings.items():
        same = sum(a == b for a, b in zip(alone, run(), strict=True))
        yield (
            name,
            "as alone, to the last bit",
            f"{same} of {len(alone)}",
            same == len(alone),
        )
    kept = all(
        signal.getsignal(number) is handler for number, handler in handlers.items()
    )
    yield "all of these", "signal handlers as before", "yes" if kept else "no", kept


def many_commands(n: int) -> Iterator[Row]:
    """Start commands at the same time that all compile to one empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        X, y = table(0)
        X.assign(grade=y).to_csv(Path(folder) / "t.csv", index=False)
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(Path(folder) / "kernels")}
        command = [
            SCRIPT,
            "evaluate",
            "t.csv",
            "--true",
            "grade",
            "--score",
            "a",
            "--json",
        ]
        started = [
            subprocess.Popen(
                command,
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for _ in range(n)
        ]
        ended = [process.communicate() for process in started]
        good = sum(
            process.returncode == 0 and said == ended[0]
            for process, said in zip(started, ended, strict=True)
        )
        kernels = len(list((Path(folder) / "kernels").rglob("*.nbc")))
    yield (
        f"{n} commands, one empty cache",
        "all end well, alike",
        f"{good} of {n}",
        good == n,
    )
    yield "", "kernels are kept", f"{kernels}", kernels > 0


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fits", type=int, default=1_000)
    parser.add_argument("--commands", type=int, default=24)
    criteria = parser.parse_args()
    started, wrong = time.process_time(), 0
    print(
        "| what | what must hold | found | holds |\n| --- | --- | --- | --- |", flush=True
    )
    for rows in (
        in_company(),
        many_fits(criteria.fits),
        many_commands(criteria.commands),
    ):
        for what, law, found, holds in rows:
            print(
                f"| {what} | {law} | {found} | {'yes' if holds else '**no**'} |",
                flush=True,
            )
            wrong += not holds
    print(f"{time.process_time() - started:.0f} s of processor time in this process")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
