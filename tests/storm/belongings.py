"""A folder with one file of each format that moselect reads, all of them in order."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from moselect import ParetoSearch
from moselect.datasets import load_table
from moselect.storage import begin_run, write_cost_template
from tests.storm.commands import run

SMALL = ("--particles", 5, "--iterations", 2, "--seed", 1, "--quiet")
LOADED_BY = {"source": "t.csv", "target": "grade", "order": None, "bins": None, "binning": None}


def make(folder: Path) -> Path:
    """Fill a folder: tables, runs, models, a comparison, costs, and a search that has not ended."""
    rng = np.random.default_rng(7)
    score = rng.normal(size=40)
    table = pd.DataFrame(
        {
            "height": 170 + 10 * score,
            "width, cm": rng.normal(size=40).round(1),
            "colour": rng.choice(["red", "green", "blue"], 40),
            "day": pd.date_range("2020-01-01", periods=40).strftime("%Y-%m-%d"),
            "grade": np.digitize(score + rng.normal(scale=0.5, size=40), [-0.5, 0.5]) + 1,
        }
    )
    table.drop(columns=["colour", "day"]).to_csv(folder / "t.csv", index=False)
    table.to_csv(folder / "mixed.csv", index=False)
    commands: tuple[tuple[Any, ...], ...] = (
        ("search", "t.csv", "--out", "plain", "--folds", 2, "--holdout", 0.3, *SMALL),
        ("search", "mixed.csv", "--out", "prepared", "--folds", 0, *SMALL),
        ("search", "t.csv", "--out", "curves", "--folds", 0, "--columns", "splines", *SMALL),
        ("select", "plain", "--class-costs", "1,1,5", "-o", "plain.json", "-q"),
        ("select", "prepared", "--class-costs", "1,1,5", "-o", "prepared.json", "-q"),
        ("select", "curves", "--model", 0, "-o", "curves.json", "-q"),
        ("predict", "plain.json", "t.csv", "-o", "p.csv", "--keep", "all"),
        (
            *("compare", "t.csv", "--models", "trivial,ordinal_ridge", "--class-costs", "1,1,5"),
            *("--folds", 2, "--repeats", 1, "--seed", 1, "--out", "c.npz", "-q"),
        ),
    )
    for command in commands:
        done = run(folder, *command)
        assert done.code == 0, done
    data = load_table(folder / "t.csv")
    search = ParetoSearch(n_particles=5, n_iterations=4, cv=None, random_state=1)
    search.set_params(labels=data.labels)

    with begin_run(folder / "begun", search, data, LOADED_BY) as states:
        search.fit(data.X, data.y, checkpoints=states)
    write_cost_template([1, 2, 3], folder / "costs.csv")
    return folder


def record_of(folder: Path, name: str) -> dict[str, Any]:
    """Return the record of a run."""
    found: dict[str, Any] = json.loads((folder / name / "run.json").read_text(encoding="utf-8"))
    return found


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
