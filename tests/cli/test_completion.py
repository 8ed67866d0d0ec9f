"""What the shell is offered, asked in the shell's way; files it completes by itself."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from moselect.models import OrdinalLinearClassifier
from moselect.storage import write_model


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["search", "bo"], ["boston"]),
        (["search", "claims.c"], []),
    ],
)
def test_what_is_offered(inside, monkeypatch, words, expected):
    monkeypatch.setenv("_MOSELECT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "\n".join(["moselect", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    done = inside()
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == expected


@pytest.mark.parametrize(
    ("arguments", "environment", "shown"),
    [
        (["predict", "model.json", "t.csv"], {}, "score,class"),
        (["--help"], {}, "Usage: moselect"),
        (["search", "bostn"], {}, "did you mean 'boston'"),
        (["predict", "none.json", "boston"], {}, "there is no model 'none.json'"),
        (["select", "nowhere"], {}, "is not a run folder"),
        ([], {"COMP_WORDS": "moselect search b", "COMP_CWORD": "2"}, "boston"),
    ],
)
def test_help_slips_and_predictions_load_none_of_the_heavy_packages(
    tmp_path, arguments, environment, shown
):
    model = OrdinalLinearClassifier([1.0], [0.5], ["low", "high"], ["age"])
    write_model(tmp_path / "model.json", model)
    (tmp_path / "t.csv").write_text("age\n1\n2\n")
    heavy = {"numba", "scipy", "sklearn", "matplotlib", "pymoo"}
    if arguments[1:] != ["model.json", "t.csv"]:
        heavy.add("pandas")
    script = (
        f"import sys; sys.argv = ['moselect', *{arguments}]\n"
        "from moselect.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        f"heavy = {heavy}\n"
        "sys.exit(1 if heavy & set(sys.modules) else 0)"
    )
    if environment:
        environment = {"_MOSELECT_COMPLETE": "complete_bash", **environment}
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "MOSELECT_DATA": "", **environment},
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert shown in done.stdout + done.stderr
