"""Commands that write files, and the content that must be reproduced."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from tests.cli.conftest import draw
from tests.storm import commands

SMALL = "--particles 8 --evaluations 48 --objectives accuracy,vus --quiet"
SEARCH = f"search t.csv --runs 2 --folds 2 --seed 3 {SMALL}"
COMPARE = "compare t.csv --models multinomial,ordinal_ridge --folds 2"
SELECT = "select run --class-costs 1,2,5 --model linear -q"
TUNE = "tune --models multinomial -q"
PREDICT = "predict m.json t.csv --keep all"


@dataclass(frozen=True)
class Writer:
    """A command that writes a new file, and its variant that replaces an existing one.

    ``content`` reads the written file in a form that can be compared.
    """

    command: str
    replaces: str
    content: Callable[[Path], object]
    old: str
    new: str


def front_of(run_folder):
    """Return the tables of a finished run, to the last bit."""
    (arrays,) = run_folder.glob("arrays-*.npz")
    with np.load(arrays) as fronts:
        values = {name: fronts[name].tolist() for name in fronts}
    return (run_folder / "front.csv").read_bytes(), values


def trials_of(run_folder):
    """Return the trials of a run without their times."""
    path = run_folder / "trials.csv"
    return path.exists() and pd.read_csv(path).drop(columns="seconds").to_csv()


WRITERS = {
    "search": Writer(
        f"{SEARCH} --out new",
        f"{SEARCH} --out run --force",
        front_of,
        "run",
        "new",
    ),
    "select": Writer(
        f"{SELECT} -o new.json --export new.sql",
        f"{SELECT} -o m.json --export m.sql --force",
        lambda path: (path.read_bytes(), path.with_suffix(".sql").read_bytes()),
        "m.json",
        "new.json",
    ),
    "predict": Writer(
        f"{PREDICT} -o new.csv",
        f"{PREDICT} -o p.csv --force",
        Path.read_bytes,
        "p.csv",
        "new.csv",
    ),
    "compare": Writer(
        f"{COMPARE} --seed 1 --out new.json",
        f"{COMPARE} --seed 2 --out c.json --force",
        lambda path: json.loads(path.read_text())["measures"],
        "c.json",
        "new.json",
    ),
    "tune": Writer(
        f"{TUNE} run --trials 2",
        f"{TUNE} tuned --trials 3",
        trials_of,
        "tuned",
        "run",
    ),
    "check": Writer(
        "check priced.json t.csv -q --history new.csv",
        "check priced.json later.csv -q --history h.csv",
        lambda path: pd.read_csv(path).drop(columns="time").to_csv(),
        "h.csv",
        "new.csv",
    ),
}


def fill(folder):
    """Write a table, and an earlier output of every command."""
    table = draw(60, 11)
    table.to_csv(folder / "t.csv", index=False)
    table.assign(a=table["a"] + 0.01).to_csv(folder / "later.csv", index=False)
    # In this process: its copies then have loaded what commands need.
    for command in (
        f"search t.csv --folds 2 --out run --seed 2 {SMALL}",
        f"{SELECT} -o priced.json",
        "take run --balanced -o m.json --export m.sql -q",
        "predict m.json t.csv -o p.csv",
        f"{COMPARE} --seed 3 --out c.json",
        "check priced.json t.csv -q --history h.csv",
    ):
        check_success(commands.run(folder, command))
    copy(folder / "run", folder / "tuned")
    check_success(commands.run(folder, f"{TUNE} tuned --trials 1"))
    return folder


def check_success(ended):
    """Check that a command succeeded, and return it."""
    assert ended.returncode == 0, ended
    return ended


def error_line(ended):
    """Return the error line of a command that failed; AssertionError otherwise."""
    assert ended.returncode == 74, ended
    assert "Traceback" not in ended.stderr, ended.stderr
    last = ended.stderr.splitlines()[-1]
    assert last.startswith("moselect: error: "), ended.stderr
    return last


def recovery_command(folder, command, output):
    """Command with which a user recovers after a kill or a full disk."""
    if (folder / output / "unfinished" / "run.json").exists():
        return f"search --resume {output} --quiet"
    path = folder / output
    if command.startswith("check"):
        n_checks = 1 if " t.csv " in command else 2
        is_kept = path.exists() and len(pd.read_csv(path)) == n_checks
        # rows are counted once
        return command.partition(" --history")[0] if is_kept else command
    if command.startswith("tune"):  # goes on
        return command
    if command.startswith("search") and not path.exists():
        return command
    return command if "--force" in command else f"{command} --force"


def copy(folder, path):
    shutil.copytree(folder, path)
    return path


def files_of(folder):
    """Return all finished files; locks and temporary names begin with a dot."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }
