"""Files of all candidates written with one scikit-learn and numpy, and read with another.

    python -m experiments.model_files.run [--keep FOLDER]

Two environments are built by pip: an old one and the newest. In each every candidate is
selected on two tables (numbers, and a table with categories, dates, gaps and text), and
written with its probabilities; then each environment reads the files of both. Printed is
the greatest difference of the probabilities, and how many classes differ.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import venv
from pathlib import Path

import pandas as pd

HERE = Path(__file__).resolve()
ENVIRONMENTS = {
    "old": ["scikit-learn==1.6.1", "numpy==2.2.6", "scipy<1.16"],
    "new": ["scikit-learn", "numpy"],
}
CANDIDATES = {
    "scorecard": ".json",
    "linear": ".json",
    "additive": ".json",
    "ensemble": ".npz",
}
TABLES = ("numbers", "mixed")


def make_table(name: str):
    """Draw a table and its classes, the same in every environment."""
    import numpy as np

    rng, n = np.random.default_rng(1), 400
    table = pd.DataFrame(np.round(rng.normal(size=(n, 4)), 3), columns=list("abcd"))
    score = table["a"] + table["b"] ** 2 - table["c"]
    if name == "mixed":
        towns, words = (
            rng.integers(0, 30, n),
            ["roof", "tile", "fire", "glass", "door", "wall"],
        )
        day = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 700, n), "D")
        table["town"] = [f"town {k}" for k in towns]
        table["kind"] = rng.choice(list("xyz"), n)
        table["day"] = day.astype(str)
        table["note"] = [f"{' '.join(rng.choice(words, 4))} no {i}" for i in range(n)]
        table.loc[rng.random(n) < 0.1, "b"] = np.nan
        score = score.fillna(0.0) + towns % 3 + table["note"].str.contains("fire")
    return table, np.digitize(score + rng.logistic(size=n) / 2, [-0.5, 1.0, 2.5])


def write(folder: Path) -> None:
    """Select all candidates in this environment, and write them with what they predict."""
    import moselect

    for name in TABLES:
        table, y = make_table(name)
        search = moselect.ParetoSearch(n_iterations=3, cv=None, random_state=1).fit(
            table, y
        )
        for candidate, suffix in CANDIDATES.items():
            model = search.select(class_costs=[1, 1, 2, 4], model=candidate)
            path = folder / f"{name}-{candidate}{suffix}"
            moselect.io.write_model(path, model)
            predictions(model, table).to_csv(path.with_suffix(".csv"), index=False)


def predictions(model, table) -> pd.DataFrame:
    shares = pd.DataFrame(model.predict_proba(table)).add_prefix("P")
    return shares.assign(chosen=model.predict(table))


def read(folder: Path) -> None:
    """Compare what the files of another environment predict here, a line a file."""
    import moselect

    for path in sorted([*folder.glob("*.json"), *folder.glob("*.npz")]):
        table, _ = make_table(path.stem.partition("-")[0])
        found = predictions(moselect.io.read_model(path), table)
        expected = pd.read_csv(path.with_suffix(".csv"))
        apart = (found - expected).abs()
        n_others = int((found["chosen"] != expected["chosen"]).sum())
        print(path.stem, apart.filter(like="P").to_numpy().max(), n_others)


def build(folder: Path, packages: list[str]) -> Path:
    """Return the interpreter of an environment with moselect and other packages."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        root = str(HERE.parents[2])
        subprocess.run(
            [python, "-m", "pip", "install", "-q", root, *packages], check=True
        )
    return python


def main(folder: Path) -> None:
    """Write in each environment, read in both, and print a table."""
    pythons = {name: build(folder / name, ENVIRONMENTS[name]) for name in ENVIRONMENTS}
    rows = []
    for writer, python in pythons.items():
        files = folder / f"files of {writer}"
        files.mkdir(exist_ok=True)
        subprocess.run([python, HERE, "--write", files], check=True)
        for reader, other in pythons.items():
            told = subprocess.run(
                [other, HERE, "--read", files], check=True, capture_output=True, text=True
            ).stdout
            rows += [(writer, reader, *line.split()) for line in told.splitlines()]
    columns = ["written", "read", "model", "greatest difference", "other classes"]
    print(pd.DataFrame(rows, columns=columns).to_string(index=False))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", type=Path, help="folder of the environments")
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        write(options.write)
    elif options.read:
        read(options.read)
    elif options.keep:
        main(options.keep.resolve())
    else:
        with tempfile.TemporaryDirectory() as kept:
            main(Path(kept))
