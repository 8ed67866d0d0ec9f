"""Time, memory and figures of samples of tables that need not fit into memory.

    python -m experiments.benchmarks.large [--rows 2000000] [--sample 200000] [--folder FOLDER]
    python -m experiments.benchmarks.large --draws 10      # figures against all rows

Tables of 20 columns, of which 17 are numbers, and four classes, of which the highest has one row in
a thousand, are generated as Parquet and CSV. The first form prints a line for each step, which is a
fresh process: seconds of the wall and of processors, and the peak resident memory. *Read* is
pandas or pyarrow in
blocks. The second form draws samples of a tenth of a table, selects a linear model of each, and
compares its cross-validated cost with the cost on all rows, and its cost on new rows with that of a
linear model of all rows.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import parquet

import moselect
from moselect.datasets import load_dataset
from moselect.monitoring import evaluate_rows

CLASSES = ["none", "slight", "serious", "severe"]
COSTS = [1, 2, 5, 50]
LIMIT = 0.005  # of classes serious and severe that are predicted as none
COLUMNS = ["rows", "cv", "all rows", "z", "ratio", "serious as none"]
PIECE = 250_000  # rows generated at a time
MEGABYTE = 1024  # ru_maxrss is in kilobytes
OPTIONS = f"--target grade --order {','.join(CLASSES)} --seed 1"
READ = {
    "csv": "import pandas as pd\nfor _ in pd.read_csv({path!r}, chunksize=50_000): pass",
    "parquet": (
        "from pyarrow.parquet import ParquetFile\n"
        "for batch in ParquetFile({path!r}).iter_batches(50_000): batch.to_pandas()"
    ),
}


def piece(n: int, rng: np.random.Generator) -> pd.DataFrame:
    """Return n rows of the generator."""
    x = rng.normal(size=(n, 17)).round(4)
    table = pd.DataFrame(x, columns=[f"x{j}" for j in range(17)])
    table["town"] = rng.choice(["Bonn", "Cork", "Gent", "Lyon"], n)
    table["visits"] = rng.poisson(3.0, n)
    table["age"] = rng.integers(18, 90, n)
    score = x[:, :6].sum(axis=1) + 0.2 * table["visits"] - 0.02 * table["age"]
    score += 0.3 * x[:, 0] * x[:, 1] + rng.logistic(size=n)
    table["grade"] = np.array(CLASSES)[np.digitize(score, [0.0, 3.0, 9.4])]
    return table


def write(folder: Path, n: int, seed: int) -> dict[str, Path]:
    """Write n rows as Parquet and CSV, unless they are there."""
    paths = {form: folder / f"rows-{n}-{seed}.{form}" for form in ("parquet", "csv")}
    if all(path.exists() for path in paths.values()):
        return paths
    rng = np.random.default_rng(seed)
    writer = None
    for start in range(0, n, PIECE):
        table = piece(min(PIECE, n - start), rng)
        arrow = pa.Table.from_pandas(table, preserve_index=False)
        writer = writer or parquet.ParquetWriter(paths["parquet"], arrow.schema)
        writer.write_table(arrow)
        table.to_csv(
            paths["csv"], index=False, header=not start, mode="a" if start else "w"
        )
    writer.close()
    return paths


def measured(name: str, command: list[str], folder: Path) -> None:
    """Run a command; print its times and its peak memory in MB."""
    start = time.perf_counter()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, cwd=folder, **quiet)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    failed = "" if status == 0 else "  FAILED"
    processor = usage.ru_utime + usage.ru_stime
    memory = usage.ru_maxrss / MEGABYTE
    times = f"{seconds:8.1f} s {processor:8.1f} s"
    print(f"{name:38}{times} {memory:8.0f} MB{failed}", flush=True)


def steps(paths: dict[str, Path], sample: int, folder: Path) -> None:
    """Print time and memory of each step, in fresh processes."""
    cli = [sys.executable, "-m", "moselect"]
    for form, path in paths.items():
        read = READ[form].format(path=str(path))
        measured(f"{form}: read", [sys.executable, "-c", read], folder)
        draw = (
            "from moselect.datasets.sampling import DrawOptions, draw_sample\n"
            f"draw_sample({str(path)!r}, {sample}, DrawOptions(target='grade'))"
        )
        measured(f"{form}: draw a sample", [sys.executable, "-c", draw], folder)
        run = f"run-{form}"
        rows = ["--rows", str(sample), "--out", run, "--force"]
        search = [*cli, "search", str(path), *OPTIONS.split(), *rows]
        measured(f"{form}: search", search, folder)
        costs = ",".join(map(str, COSTS))
        select = [*cli, "select", run, "--class-costs", costs, "--model", "linear"]
        select += ["-o", f"{form}.json", "--force"]
        measured(f"{form}: select the linear model", select, folder)
        measured(f"{form}: the same again", select, folder)
        measured(f"{form}: the same --all-rows", [*select, "--all-rows"], folder)
        rows = [*cli, "predict", f"{form}.json", str(path), "-o", "p.csv", "--force"]
        measured(f"{form}: predict", rows, folder)


def figures(folder: Path, n: int, n_draws: int) -> None:
    """Print the figures of samples beside those of all rows, and costs on new rows."""
    path = write(folder, n, 0)["parquet"]
    new = write(folder, n, 1)["parquet"]
    order = {"target": "grade", "order": CLASSES}
    data = load_dataset(path, **order)

    def searched(data: moselect.datasets.Dataset) -> moselect.ParetoSearch:
        search = moselect.ParetoSearch(cv=None, n_iterations=5, random_state=1)
        return search.fit(data.X, data.y, **data.roles)

    linear = {"class_costs": COSTS, "model": "linear"}
    model = searched(data).select(**linear)
    everything = evaluate_rows(model, new, target="grade").cost
    print(f"linear model of {n:,} rows: cost {everything:.5f} on {n:,} new rows")
    lines = []
    for seed in range(n_draws):
        data = load_dataset(path, **order, rows=n // 10, random_state=seed)
        search = searched(data)
        model = search.select(**linear)
        limited = search.select(**linear, limits={"serious<slight": LIMIT})
        evidence = model.evidence
        found = evaluate_rows(model, path, target="grade", sample_rows=data.source_rows)
        gap = evidence.expected - found.cost
        z = gap / np.hypot(evidence.expected_se, found.std_error)
        ratio = evaluate_rows(model, new, target="grade").cost / everything
        counts = evaluate_rows(limited, new, target="grade").confusion
        rate = counts.loc[CLASSES[2:], "none"].sum() / counts.loc[CLASSES[2:]].sum(
            axis=None
        )
        lines.append([len(data.y), evidence.expected, found.cost, z, ratio, rate])
        print(f"draw {seed}: {lines[-1]}", flush=True)
    table = pd.DataFrame(lines, columns=COLUMNS)
    print(table.round(4).to_string())
    print(f"z: mean {table['z'].mean():.2f}, sd {table['z'].std():.2f}")
    print(f"cost on new rows, ratio: mean {table['ratio'].mean():.4f}")
    kept = (table["serious as none"] <= LIMIT).sum()
    print(f"limit of {LIMIT:.1%} on new rows: holds in {kept} of {n_draws}")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--sample", type=int, default=200_000)
    parser.add_argument("--draws", type=int, default=0)
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        if arguments.draws:
            figures(folder, arguments.rows, arguments.draws)
        else:
            steps(write(folder, arguments.rows, 0), arguments.sample, folder)


if __name__ == "__main__":
    main()
