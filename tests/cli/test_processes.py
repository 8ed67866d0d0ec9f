"""Commands in a process of their own: what they load, and whether they open a connection."""

import json
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from moselect.io import write_model
from moselect.predictor import OrdinalLinearClassifier
from moselect.predictor.reference import Reference
from tests.cli.conftest import QUICK, run_in, search_and_select
from tests.places import CLAIMS

WATCHED = """
import json, os, sys
opened = []
connects = {"socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.bind"}
sys.addaudithook(lambda event, given: event in connects and opened.append(str(given)))
from moselect.cli import main
loaded = {}
for line in sys.argv[1:]:
    sys.argv = ["moselect", *line.split()]
    try:
        main()
    except SystemExit:
        pass
    loaded[line] = [*sys.modules]
sys.stderr.write("\\n" + json.dumps([loaded, opened]))
"""


def watch(folder, *lines):
    """Return all output of commands, the modules loaded after each, and connections."""
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *lines],
        env={**os.environ, "MOSELECT_DATA": ""},
        capture_output=True,
        text=True,
        cwd=folder,
        check=True,
    )
    messages, _, found = done.stderr.rpartition("\n")
    return done.stdout + messages, *json.loads(found)


def test_help_misspellings_and_predictions_import_no_heavy_package(tmp_path):
    model = OrdinalLinearClassifier([1.0], [0.5], ["low", "high"], ["age"])
    reference = Reference(
        None, 0.5, 0.1, np.eye(2).tolist(), [0.5, 0.5], [], 2, 2, [], []
    )
    write_model(tmp_path / "model.json", model.replace(reference=reference))
    (tmp_path / "t.csv").write_text("age\n1\n2\n")
    lines = {
        "--help": "Usage: moselect",
        "search bostn": "did you mean 'boston'",
        "predict none.json boston": "there is no file 'none.json'",
        "select nowhere": "is not a run folder",
        "predict model.json t.csv": "score,class",
    }
    shown, loaded, _ = watch(tmp_path, *lines)
    heavy = {"numba", "scipy", "sklearn", "matplotlib", "pymoo", "filelock"}
    for line, words in lines.items():
        assert words in shown
        assert not heavy & {*loaded[line]}, line
    assert "numpy" not in loaded["--help"]
    assert "pandas" not in loaded["select nowhere"]


@pytest.mark.slow
def test_other_costs_afterwards_import_no_package_of_fits(tmp_path, table):
    search_and_select(tmp_path, table, QUICK, "--class-costs 1,1,5")
    later = "select run --class-costs 1,2,5 -o later.json"
    shown, loaded, _ = watch(tmp_path, later)
    assert "Written: later.json" in shown
    unused = {"sklearn.ensemble", "sklearn.gaussian_process", "sklearn.linear_model"}
    unused |= {"sklearn.neighbors", "sklearn.svm", "moocore"}
    assert not unused & {*loaded[later]}


@pytest.mark.slow
def test_no_candidate_needs_scikit_learn_to_predict(tmp_path):
    """The guide's claims have text, dates and gaps."""
    pd.read_csv(CLAIMS, nrows=200).to_csv(tmp_path / "claims.csv", index=False)
    options = "--target severity --order none,slight,serious,severe --out run"
    run_in(tmp_path, f"search claims.csv {options} {QUICK}")
    for candidate in ("additive", "ensemble"):  # a graph of terms, and a graph of models
        select = f"select run --class-costs 1,1,2,2 --model {candidate}"
        run_in(tmp_path, f"{select} -o {candidate}.npz")
        predict = f"predict {candidate}.npz claims.csv --proba --explain --quiet -o"
        run_in(tmp_path, f"{predict} expected.csv --force")
        line = f"{predict} found.csv --force"
        _, loaded, _ = watch(tmp_path, line)
        assert not {"sklearn", "skops", "joblib"} & {*loaded[line]}
        found, expected = map(tmp_path.joinpath, ("found.csv", "expected.csv"))
        assert found.read_text() == expected.read_text()


@pytest.mark.slow
def test_no_command_opens_a_connection(tmp_path, table):
    table.to_csv(tmp_path / "t.csv", index=False)
    search = "search t.csv --folds 2 --runs 2 --jobs 2 --out run --particles 10"
    _, _, opened = watch(
        tmp_path,
        f"{search} --evaluations 30",
        "select run --class-costs 1,1,5 --model linear -o m.json --export m.sql",
        "predict m.json t.csv -o p.csv",
        "report run -o page.html",
        "compare t.csv --models always_one_class --folds 2 --out c.json",
    )
    assert opened == []
    for name in ("m.sql", "p.csv", "page.html", "c.json"):
        assert (tmp_path / name).exists()
