"""Shell completion of data sets; the shell completes files itself."""

import os
import subprocess
import sys

import numpy as np
import pytest

from moselect.io import write_model
from moselect.predictor import OrdinalLinearClassifier
from moselect.selection.reference import Reference

# Ask for a completion and run other commands, in a process that has loaded nothing yet.
WATCHED = """
import os, sys
from moselect.cli import main
heavy = {"numba", "scipy", "sklearn", "matplotlib", "pymoo"}
light = {"--help": heavy | {"pandas", "numpy"}, "predict model.json t.csv": heavy}
for line in ["", *sys.argv[1:]]:
    sys.argv = ["moselect", *line.split()]
    try:
        main()
    except SystemExit:
        pass
    os.environ.pop("_MOSELECT_COMPLETE", None)
    loaded = light.get(line, heavy | {"pandas"}) & set(sys.modules)
    assert not loaded, (line, loaded)
"""


@pytest.mark.parametrize(
    ("words", "expected"), [("search bo", ["boston"]), ("search claims.c", [])]
)
def test_completions_of_the_shell(run_command, monkeypatch, words, expected):
    monkeypatch.setenv("_MOSELECT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"moselect {words}")
    monkeypatch.setenv("COMP_CWORD", "2")
    assert run_command().stdout.split() == expected


def test_help_misspellings_and_predictions_import_no_heavy_package(tmp_path):
    model = OrdinalLinearClassifier([1.0], [0.5], ["low", "high"], ["age"])
    reference = Reference(None, 0.5, 0.1, np.eye(2).tolist(), [0.5, 0.5], [], 2, 2, [])
    write_model(tmp_path / "model.json", model.replace(reference=reference))
    (tmp_path / "t.csv").write_text("age\n1\n2\n")
    completion = {
        "_MOSELECT_COMPLETE": "complete_bash",
        "COMP_WORDS": "moselect search b",
    }
    lines = {
        "--help": "Usage: moselect",
        "search bostn": "did you mean 'boston'",
        "predict none.json boston": "'none.json' does not exist",
        "select nowhere": "is not a run folder",
        "predict model.json t.csv": "score,class",
    }
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *lines],
        env={**os.environ, "MOSELECT_DATA": "", "COMP_CWORD": "2", **completion},
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("boston\n")
    for shown in lines.values():
        assert shown in done.stdout + done.stderr
