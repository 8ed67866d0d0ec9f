"""Processor time and peak memory of `moselect predict` on large files.

    python experiments/benchmarks/prediction.py [--rows 100000 1000000]

Each line is a fresh process with one model and 40 columns of numbers. The last column is
whether the CSV and the Parquet file have equal predictions, byte by byte.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

import moselect

FEATURES = 40
BLOCK = 50_000
MEASURED = """
import re, sys, time
from pathlib import Path
from moselect.cli import main
try:
    main()
finally:
    status = Path("/proc/self/status").read_text()
    print(time.process_time(), re.search(r"VmHWM:\\s*(\\d+)", status)[1], file=sys.stderr)
"""


def write_models(folder: Path) -> list[Path]:
    """Select a linear and an additive model on 1,000 rows."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(1_000, FEATURES))).add_prefix("x")
    score = X["x0"] + X["x1"] ** 2 - X["x2"] * X["x3"] + rng.normal(size=len(X))
    search = moselect.ParetoSearch(n_iterations=3, cv=None, random_state=1)
    search.fit(X, np.digitize(score, [-1.0, 1.0, 2.5]))
    paths = []
    for name in ("linear", "additive"):
        paths.append(folder / f"{name}.json")
        model = search.select(class_costs=[1, 1, 2, 4], model=name)
        moselect.io.write_model(paths[-1], model)
    return paths


def write_tables(folder: Path, n_rows: int) -> list[Path]:
    """Write rows as CSV and as Parquet."""
    rng = np.random.default_rng(1)
    blocks = []
    paths = [folder / f"rows-{n_rows}.csv", folder / f"rows-{n_rows}.parquet"]
    for start in range(0, n_rows, BLOCK):
        values = rng.normal(size=(min(BLOCK, n_rows - start), FEATURES)).round(4)
        blocks.append(pd.DataFrame(values).add_prefix("x"))
        blocks[-1].to_csv(paths[0], index=False, mode="a", header=start == 0)
    pd.concat(blocks).to_parquet(paths[1], index=False)
    return paths


def predict(model: Path, table: Path) -> tuple[float, float, bytes]:
    """Return the processor seconds, the peak memory in MB and the predictions."""
    out = table.with_name("predictions.csv")
    command = ["predict", model, table, "-o", out, "--force", "--quiet"]
    # The resource usage of a child counts the memory of its parent.
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *map(str, command)],
        check=True,
        capture_output=True,
        text=True,
    )
    seconds, memory = done.stderr.split()[-2:]
    return float(seconds), float(memory) / 1024, out.read_bytes()


def main() -> None:
    """Print a line for each model, file and number of rows."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 1_000_000])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        models = write_models(folder)
        for n_rows in parser.parse_args().rows:
            tables = write_tables(folder, n_rows)
            for model in models:
                found = []
                for table in tables:
                    seconds, memory, content = predict(model, table)
                    found.append(content)
                    equal = content == found[0]
                    about = f"{n_rows:>9,} {model.stem:9} {table.suffix:9}"
                    print(f"{about}{seconds:6.1f} s {memory:6.0f} MB {equal}", flush=True)


if __name__ == "__main__":
    main()
