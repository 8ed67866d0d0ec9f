"""What the shell is offered, asked in the shell's way; files it completes by itself."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from moselect.cli import options
from moselect.comparison import KNOWN_MODELS
from moselect.datasets import list_datasets


def test_the_names_are_those_of_the_library(monkeypatch, tmp_path):
    assert tuple(KNOWN_MODELS) == options.KNOWN_MODELS
    (tmp_path / "stock.csv").touch()
    monkeypatch.setenv("MOSELECT_DATA", str(tmp_path))
    assert options.complete_data() == [*list_datasets(), "openml:"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["sea"], ["search"]),
        (["search", "bo"], ["boston"]),
        (["search", "claims.c"], []),
        (
            ["search", "boston", "--objectives", "vus,u_"],
            ["vus,u_cons", "vus,u_ovo", "vus,u_pairs"],
        ),
        (["compare", "boston", "--models", "trivial,mu"], ["trivial,multinomial"]),
        (["search", "boston", "--preset", "w"], ["waegeman2008"]),
        (["select", "runs/a-001", "--loss", "s"], ["squared"]),
        (["search", "boston", "--parti"], ["--particles"]),
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
        (["--help"], {}, "Usage: moselect"),
        (["search", "bostn"], {}, "did you mean 'boston'"),
        (["predict", "none.json", "boston"], {}, "there is no model 'none.json'"),
        (["select", "nowhere"], {}, "is not a run folder"),
        ([], {"COMP_WORDS": "moselect search b", "COMP_CWORD": "2"}, "boston"),
    ],
)
def test_help_completion_and_slips_load_none_of_the_heavy_packages(
    tmp_path, arguments, environment, shown
):
    script = (
        f"import sys; sys.argv = ['moselect', *{arguments}]\n"
        "from moselect.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numba', 'pandas', 'sklearn', 'matplotlib', 'pymoo'}\n"
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
