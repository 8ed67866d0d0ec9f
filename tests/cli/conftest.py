import contextlib
import functools
import io
import json
import os
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
QUICK = "--evaluations 120 --particles 40"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Let names of files be those in the folder of the lines that `inside` runs."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def moselect(tmp_path):
    """Run the real command in an empty folder."""

    def run(line):
        done = subprocess.run(
            [SCRIPT, *shlex.split(line)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "COLUMNS": "80", "MOSELECT_DATA": ""},
        )
        assert done.returncode == 0, done.stderr
        return done

    return run


def called(folder, *arguments):
    """Run the command line in a folder and in this process, which need not start first."""
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
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    return subprocess.CompletedProcess(arguments, code, *texts)


def ends(folder, line="", code=0):
    """Run a line of the shell in a folder and in this process, which must end with a code."""
    done = called(folder, *shlex.split(line))
    assert done.returncode == code, done.stderr
    return done


@pytest.fixture
def inside(tmp_path):
    """Run lines of the shell in an empty folder and in this process."""
    return functools.partial(ends, tmp_path)


def document(done):
    """Return what a command printed as one JSON document, which has no NaN."""
    return json.loads(done.stdout, parse_constant=pytest.fail)


@pytest.fixture
def told(inside):
    """Return a function that runs a line, and gives the JSON document that it prints."""
    return lambda line: document(inside(f"{line} --json"))


@pytest.fixture(scope="session")
def table():
    """Give a table with a numeric, a grade and a text target."""
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
    """Give a folder with a table of text classes and the run folder of a search on it."""
    folder = tmp_path_factory.mktemp("searched")
    table = table.assign(grade=table["grade"].map({1: "low", 2: "mid", 3: "high"}))
    table.to_csv(folder / "t.csv", index=False)
    ends(folder, f"search t.csv --order low,mid,high --seed 3 --out run {QUICK}")
    return folder


@pytest.fixture(scope="session")
def decided(tmp_path_factory, searched):
    """Give the evidence of a run folder for which all kinds were fitted, and what was told."""
    folder = tmp_path_factory.mktemp("decided")
    shutil.copytree(searched, folder, dirs_exist_ok=True)
    told = ends(folder, "select run --class-costs 1,1,5 --json").stdout
    return folder / "run" / "evidence", json.loads(told)["candidates"]


@pytest.fixture
def run(tmp_path, searched):
    """Give a run folder to be used and changed, beside its table."""
    shutil.copytree(searched, tmp_path, dirs_exist_ok=True)
    return tmp_path / "run"
