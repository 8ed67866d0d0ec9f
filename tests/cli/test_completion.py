"""What the shell is offered, asked in the shell's way."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from moselect.cli import completion
from moselect.comparison import KNOWN_MODELS
from moselect.datasets import list_datasets
from moselect.datasets.boston import BINNINGS


def test_the_names_are_those_of_the_library(monkeypatch):
    assert set(completion.BINNINGS) == {"quantile", *BINNINGS}
    assert tuple(KNOWN_MODELS) == completion.KNOWN_MODELS
    monkeypatch.setenv("MOSELECT_DATA", "")
    assert tuple(list_datasets()) == completion.BUNDLED


@pytest.fixture
def offered(inside, monkeypatch):
    """Give what is offered for the last of the words."""

    def ask(*words):
        monkeypatch.setenv("_MOSELECT_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", "\n".join(["moselect", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        done = inside()
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    return ask


@pytest.fixture
def folder(tmp_path):
    """Give the empty folder of the command some files."""
    for name in (
        *("claims.csv", "notes.txt", "model.json", "runs/a-001/run.json", ".c.csv"),
        *("book.xlsx", "pool.skops"),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "runs" / "a-002" / "unfinished").mkdir(parents=True)
    (tmp_path / "runs" / "a-002" / "unfinished" / "run.json").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["sea"], ["search"]),
        (["search", "bo"], ["boston", "book.xlsx"]),
        (["search", "c"], ["claims.csv"]),
        (["search", "no"], []),
        (["predict", "m"], ["model.json"]),
        (["predict", "p"], ["pool.skops"]),
        (["predict", "model.json", "cl"], ["claims.csv"]),
        (["plot", "r"], ["runs/"]),
        (["plot", "runs/"], ["runs/a-001", "runs/a-002"]),
        (["search", "--resume", "runs/a-002"], ["runs/a-002"]),
        (
            ["search", "boston", "--objectives", "vus,u_"],
            ["vus,u_cons", "vus,u_ovo", "vus,u_pairs"],
        ),
        (["compare", "boston", "--models", "trivial,mu"], ["trivial,multinomial"]),
        (["select", "runs/a-001", "--loss", "s"], ["squared"]),
        (["search", "boston", "--parti"], ["--particles"]),
    ],
)
def test_what_is_offered(offered, folder, words, expected):
    assert offered(*words) == expected


def test_tables_of_the_data_folder_are_offered(tmp_path, monkeypatch):
    (tmp_path / "stock.csv").touch()
    monkeypatch.setenv("MOSELECT_DATA", str(tmp_path))
    assert {"boston", "stock", "openml:"} <= set(completion.data_sets(""))


@pytest.mark.parametrize(
    ("arguments", "environment", "shown"),
    [
        (["--help"], {}, "Usage: moselect"),
        ([], {"COMP_WORDS": "moselect search b", "COMP_CWORD": "2"}, "boston"),
    ],
)
def test_help_and_completion_load_none_of_the_heavy_packages(
    tmp_path, arguments, environment, shown
):
    script = (
        f"import sys; sys.argv = ['moselect', *{arguments}]\n"
        "from moselect.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numba', 'pandas', 'numpy', 'sklearn', 'matplotlib', 'pymoo'}\n"
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
    assert shown in done.stdout
