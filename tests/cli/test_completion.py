"""What the shell is offered, asked in the shell's way."""

from __future__ import annotations

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
        (["search", "bos"], ["boston"]),
        (["search", "c"], ["claims.csv"]),
        (["search", "no"], []),
        (["predict", "m"], ["model.json"]),
        (["predict", "p"], ["pool.skops"]),
        (["search", "bo"], ["boston", "book.xlsx"]),
        (["predict", "model.json", "cl"], ["claims.csv"]),
        (["plot", "r"], ["runs/"]),
        (["plot", "runs/"], ["runs/a-001", "runs/a-002"]),
        (["select", "runs/a-001"], ["runs/a-001"]),
        (["search", "--resume", "runs/a-002"], ["runs/a-002"]),
        (["plot", "missing/"], []),
        (
            ["search", "boston", "--objectives", "vus,u_"],
            ["vus,u_cons", "vus,u_ovo", "vus,u_pairs"],
        ),
        (["search", "boston", "--objectives", "u_cons,u_"], ["u_cons,u_ovo", "u_cons,u_pairs"]),
        (["search", "boston", "--preset", ""], ["waegeman2008"]),
        (["search", "boston", "--binning", "q"], ["quantile"]),
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
