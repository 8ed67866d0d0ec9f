from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from moselect.models import OrdinalLinearClassifier
from tests.export.databases import Postgres, run_duckdb, run_sqlite

N_ROWS = 3_000
NAMES = ['a"b', "=1+1", "o'x\ny", "ü%s{0}{row}", "score", "t", "\\'); DROP TABLE data; --"]
LABELS = ["it's", '=HYPERLINK("x")', "-1 {row}\n--", "größer_x0041_"]


def sixteen_digits(values):
    """Round to what openpyxl writes of a number, so that all formats get the same rows."""
    return np.array([[float(f"{value:.16g}") for value in row] for row in values])


def make_model(seed, kind):
    """Give a model with hostile names, rows, and thresholds at the scores of some rows."""
    rng = np.random.default_rng(seed)
    p = len(NAMES)
    coef = rng.normal(size=p) / 3.0
    X = rng.normal(size=(N_ROWS, p))
    if kind == "decimals":  # many equal scores, sums that cancel, ties at thresholds
        coef = rng.choice([-0.3, -0.1, 0.1, 0.2, 0.7], p)
        X = rng.integers(-4, 5, (N_ROWS, p)) / 10.0
    elif kind == "scales":
        scale = 10.0 ** rng.integers(-9, 10, p)
        coef, X = coef / scale, X * scale
    X = sixteen_digits(X)
    draft = OrdinalLinearClassifier(coef, [0.0], [0, 1])
    at_rows = np.sort(draft.decision_function(X)[:3])
    draft = OrdinalLinearClassifier(coef, at_rows, range(4))
    at_rows = np.sort(draft.decision_function(X)[:3])  # with the bits of 4 classes
    model = OrdinalLinearClassifier(coef, at_rows, LABELS, NAMES)
    return model, pd.DataFrame(X, columns=NAMES)


@pytest.fixture(params=["normal", "decimals", "scales"])
def model_and_rows(request):
    return make_model(11, request.param)


@pytest.fixture(scope="session")
def run_postgres():
    # Not in pytest's folder: that is closed to other users, and the server refuses to be root.
    folder = Path(tempfile.mkdtemp(prefix="moselect-pg"))
    try:
        server = Postgres(folder)
        yield server
        server.stop()
    finally:
        shutil.rmtree(folder)


@pytest.fixture(params=["sqlite", "duckdb", "postgres"])
def run(request):
    """Return a function that runs a SELECT on a table in one of three databases."""
    if request.param == "postgres":
        return request.getfixturevalue("run_postgres")
    return {"sqlite": run_sqlite, "duckdb": run_duckdb}[request.param]


RUN = """
import json, runpy, sys
model = runpy.run_path(sys.argv[1])
rows = json.load(sys.stdin)
json.dump([[model["score"](row), model["predict"](row)] for row in rows], sys.stdout)
"""


def run_module(path, rows):
    """Give score and class of each row by a module in a bare interpreter."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", RUN, path],
        input=json.dumps(rows),
        capture_output=True,
        check=True,
        text=True,
        timeout=60,
    )
    return json.loads(done.stdout)
