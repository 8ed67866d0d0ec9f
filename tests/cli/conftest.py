import contextlib
import functools
import io
import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from moselect.cli import main

SCRIPT = Path(sys.executable).with_name("moselect")
QUICK = "--evaluations 120 --particles 40 --folds 2"


@pytest.fixture(autouse=True)
def working_folder(tmp_path, monkeypatch):
    """Make the temporary folder the working directory of the test."""
    monkeypatch.chdir(tmp_path)


def run_main(folder, *arguments):
    """Run the command line in a folder within this process, without starting a new one."""
    out, err = (
        io.TextIOWrapper(io.BytesIO(), "utf-8", errors, newline="")
        for errors in ("strict", "backslashreplace")
    )
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patch.chdir(folder)
        patch.setenv("MOSELECT_DATA", "")
        patch.setattr(sys, "argv", ["moselect", *map(str, arguments)])
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code or 0
    out.seek(0)
    err.seek(0)
    return subprocess.CompletedProcess(arguments, code, out.read(), err.read())


def run_in(folder, line, code=0):
    """Run a shell line in a folder and in this process, and check its exit code."""
    done = run_main(folder, *shlex.split(line))
    assert done.returncode == code, done.stderr
    return done


def search_and_select(folder, table, search, select):
    """Write a table, and a model of its target "grade"; return the result of `select`."""
    table.to_csv(folder / "t.csv", index=False)
    run_in(folder, f"search t.csv --target grade {search} --out run")
    return run_in(folder, f"select run {select} -o model.json")


@pytest.fixture
def run_command(tmp_path):
    """Run shell lines in an empty folder and in this process."""
    return functools.partial(run_in, tmp_path)


def parse_json(done):
    """Parse the printed JSON document of a command; NaN fails the test."""
    return json.loads(done.stdout, parse_constant=pytest.fail)


def read_json(path):
    """Parse a JSON document in a file."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def words_of(text):
    """Return a text in which any white space is one blank."""
    return " ".join(text.split())


@pytest.fixture
def run_json(run_command):
    """Run a shell line with ``--json`` and parse its document."""
    return lambda line: parse_json(run_command(f"{line} --json"))


@pytest.fixture(scope="session")
def table():
    """Table of 60 rows with two features and a grade of three classes."""
    rng = np.random.default_rng(5)
    score = rng.normal(size=60)
    grade = np.digitize(score + rng.normal(scale=0.5, size=60), [-0.6, 0.6])
    return pd.DataFrame(
        {
            "height": 170.0 + 10.0 * score,
            "weight": rng.normal(70.0, 5.0, 60),
            "grade": grade + 1,
        }
    )


@pytest.fixture(scope="session")
def searched(tmp_path_factory, table):
    """Folder with a table of text classes and the run folder of a search on it."""
    folder = tmp_path_factory.mktemp("searched")
    table = table.assign(grade=table["grade"].map({1: "low", 2: "mid", 3: "high"}))
    table.to_csv(folder / "t.csv", index=False)
    run_in(folder, f"search t.csv --order low,mid,high --seed 3 --out run {QUICK}")
    return folder


@pytest.fixture(scope="session")
def run_evidence(tmp_path_factory, searched):
    """Evidence folder of a run with every candidate fitted, and the printed candidates."""
    folder = tmp_path_factory.mktemp("evidence")
    shutil.copytree(searched, folder, dirs_exist_ok=True)
    printed = run_in(folder, "select run --class-costs 1,1,5 --json").stdout
    return folder / "run" / "evidence", json.loads(printed)["candidates"]


@pytest.fixture
def run(tmp_path, searched):
    """Copy of the searched run folder and its table, which a test may change."""
    shutil.copytree(searched, tmp_path, dirs_exist_ok=True)
    return tmp_path / "run"


def draw(n, seed):
    """Draw rows of two features, of which the first decides a grade of three classes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)).round(3)
    score = X[:, 0] + 0.4 * rng.logistic(size=n)
    grade = np.array(["low", "mid", "high"])[np.digitize(score, [-0.3, 0.9])]
    return pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "grade": grade})


@pytest.fixture(scope="session")
def selected(tmp_path_factory):
    """Folder of a table, its search and the selected model."""
    folder = tmp_path_factory.mktemp("selected")
    search = "--order low,mid,high --evaluations 60 --folds 2"
    select = "--class-costs 1,1,5 --model 'proportional odds'"
    search_and_select(folder, draw(300, 0), search, select)
    return folder
