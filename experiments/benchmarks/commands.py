"""Seconds of the commands on Boston, and seconds that each spends on importing which package.

    python experiments/benchmarks/commands.py [--repeats 5]

The least of some repeats each: wall, and processor with child processes. The first search has no
compiled kernels, and is run once. By the yardstick, which imports three packages that all searches
need, figures of different machines can be compared.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd

RUN = [sys.executable, "-c", "from moselect.cli import main; main()"]
YARDSTICK = [sys.executable, "-c", "import sklearn.linear_model, pandas, numba"]
SEARCH = ("search", "boston", "--seed", "1", "--force", "--out")
COSTS = ("--class-costs", "1,1,1,5,5", "--model", "linear")
ENSEMBLE = ("select", "run", "--class-costs", "1,1,1,5,5", "--model", "ensemble")
NOWHERE = "nowhere"
FIRST = "select, all candidates, first"
ALL_KINDS = ("select", "run", "--force", "-o", "any.npz", "--class-costs")
COMMANDS: dict[str, tuple[str, ...]] = {
    "search boston": (*SEARCH, "run"),
    "on one core": (*SEARCH, "run", "--jobs", "1"),
    "select, linear": ("select", "run", *COSTS, "-o", "model.json", "--force"),
    FIRST: (*ALL_KINDS, "1,1,1,5,5"),
    "other costs afterwards": (*ALL_KINDS, "1,2,3,4,5"),
    "predict, linear": ("predict", "model.json", "boston", "-o", "p.csv", "--force"),
    "select, ensemble": (*ENSEMBLE, "-o", "ensemble.npz", "--force"),
    "predict, ensemble": ("predict", "ensemble.npz", "boston", "-o", "p.csv", "--force"),
    "an error": ("select", NOWHERE),
    "--help": ("--help",),
}
PACKAGES = ("matplotlib", "moselect", "numba", "numpy", "pandas", "scipy", "sklearn")


def time_command(command: list[str], folder: Path) -> tuple[float, float]:
    """Return the seconds of the wall and of the processor."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if bool(done.returncode) != (command[-1] == NOWHERE):
        raise RuntimeError(done.stderr)
    wall, after = (
        time.perf_counter() - started,
        resource.getrusage(resource.RUSAGE_CHILDREN),
    )
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def time_least(
    command: list[str], folder: Path, repeats: int, forgets: bool = False
) -> tuple[float, float]:
    """Return the least seconds of the wall and of the processor, perhaps without kept fits."""
    times = []
    for _ in range(repeats):
        if forgets:
            shutil.rmtree(folder / "run" / "evidence", ignore_errors=True)
        times.append(time_command(command, folder))
    walls, processors = zip(*times, strict=True)
    return min(walls), min(processors)


def time_first_search(folder: Path) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as empty:
        os.environ["NUMBA_CACHE_DIR"] = empty
        seconds = time_command([*RUN, *SEARCH, "first"], folder)
        del os.environ["NUMBA_CACHE_DIR"]
    return seconds


def time_imports(arguments: tuple[str, ...], folder: Path) -> pd.Series:
    """Return the seconds in which the modules of each package were executed."""
    timed = [RUN[0], "-X", "importtime", *RUN[1:], *arguments]
    told = subprocess.run(timed, cwd=folder, capture_output=True, text=True).stderr
    lines = [line.removeprefix("import time:").split("|") for line in told.splitlines()]
    found = [
        (own, name.strip().split(".")[0]) for own, _, name in filter(_is_import, lines)
    ]
    seconds = pd.DataFrame(found, columns=["s", "package"]).astype({"s": float})
    package = seconds["package"].where(seconds["package"].isin(PACKAGES), "others")
    return seconds["s"].groupby(package).sum() / 1e6


def _is_import(parts: list[str]) -> bool:
    return len(parts) == 3 and parts[0].strip().isdigit()


def print_tables(repeats: int = 5) -> None:
    times, imports = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        times["yardstick"] = time_least(YARDSTICK, Path(folder), repeats)
        times["first search"] = time_first_search(Path(folder))
        for name, arguments in COMMANDS.items():
            command = [*RUN, *arguments]
            times[name] = time_least(command, Path(folder), repeats, name == FIRST)
            loads = [time_imports(arguments, Path(folder)) for _ in range(repeats)]
            imports[name] = pd.concat(loads, axis=1).min(axis=1)
    seconds = pd.DataFrame(times, index=["wall s", "processor s"]).T
    over = seconds["wall s"] / seconds["wall s"]["yardstick"]
    print(seconds.assign(**{"wall over the yardstick's": over}).round(2).to_string())
    table = pd.DataFrame(imports).T.reindex(columns=[*PACKAGES, "others"])
    print("\nof which imports, s")
    print(table.assign(all=table.sum(axis=1)).to_string(float_format="%.2f", na_rep=""))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=5)
    print_tables(parser.parse_args().repeats)
