import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from moselect.cli import main

SCRIPT = Path(sys.executable).with_name("moselect")


@pytest.fixture
def moselect(tmp_path):
    """Run the real command in an empty folder."""

    def run(*arguments, **environment):
        return subprocess.run(
            [SCRIPT, *map(str, arguments)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "COLUMNS": "80", "MOSELECT_DATA": "", **environment},
        )

    return run


@pytest.fixture
def inside(tmp_path, monkeypatch, capsys):
    """Run the command line in an empty folder and in this process, which need not start first."""

    def run(*arguments):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("MOSELECT_DATA", "")
        monkeypatch.setattr(sys, "argv", ["moselect", *map(str, arguments)])
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code or 0
        printed = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, printed.out, printed.err)

    return run


@pytest.fixture(scope="session")
def run_in():
    """Run the command line in a given folder and in this process, for what several tests share."""

    def run(folder, *arguments):
        out, err = io.StringIO(), io.StringIO()
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
        assert code == 0, err.getvalue()
        return subprocess.CompletedProcess(arguments, 0, out.getvalue(), err.getvalue())

    return run


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
