"""Searches that are interrupted resume to the same front, and running ones keep their folder."""

import signal
import time

import numpy as np
import pytest

from moselect.io import read_run
from tests import children
from tests.children import Child, signal_when_written
from tests.cli.conftest import run_in, words_of

pytestmark = pytest.mark.slow
SEARCH = "search boston --seed 5 --runs 2 --evaluations 800 --folds 2 --out run"
INTERRUPT = signal_when_written("run/unfinished/run-000.npz", signal.SIGINT)
QUICK = "--evaluations 60 --particles 20 --folds 0"


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """Front and fold fronts of a search that nothing interrupted."""
    folder = tmp_path_factory.mktemp("uninterrupted")
    run_in(folder, SEARCH)
    return finished(folder)


def finished(folder):
    """Check the names of the files of a finished run; return their fronts."""
    arrays, *others = sorted(path.name for path in (folder / "run").iterdir())
    assert others[:4] == ["columns.csv", "figures", "front.csv", "run.json"]
    assert [name.partition("-")[0] for name in others[4:]] == ["table"]
    assert arrays.startswith("arrays-")
    with np.load(folder / "run" / arrays) as folds:
        values = {name: folds[name].tolist() for name in folds}
    return (folder / "run" / "front.csv").read_bytes(), values


def test_an_interrupted_search_has_a_front_and_can_go_on(
    run_command, tmp_path, uninterrupted
):
    ended = children.run(tmp_path, SEARCH, INTERRUPT)
    assert ended.returncode == 130, ended.stderr
    assert "--resume run" in ended.stderr
    run = read_run(tmp_path / "run")
    assert run.record["interrupted"]
    assert 0 < run.record["n_evaluations"] < 800
    assert len(run.front) == run.record["n_models"]
    run_command("search --resume run --jobs 2")
    assert finished(tmp_path) == uninterrupted
    assert "is complete" in run_command("search --resume run").stderr


def test_an_interrupted_search_does_not_replace_a_finished_run(
    run_command, tmp_path, uninterrupted
):
    run_command(
        "search boston --seed 6 --evaluations 200 --particles 40 --folds 2 --out run"
    )
    before = finished(tmp_path)
    ended = children.run(tmp_path, f"{SEARCH} --force", INTERRUPT)
    assert ended.returncode == 130, ended.stderr
    assert "the earlier run is unchanged" in words_of(ended.stderr)
    assert (tmp_path / "run" / "front.csv").read_bytes() == before[0]
    assert not read_run(tmp_path / "run").record["interrupted"]
    run_command("search --resume run")
    assert finished(tmp_path) == uninterrupted


def wait_for(path, child):
    """Wait until a child has written a file."""
    while not path.exists():
        assert child.runs(), child.end()
        time.sleep(0.02)


@pytest.fixture
def running(tmp_path):
    """Start an endless search in the folder "run"."""
    child = Child(tmp_path, "search boston --evaluations 100000000 --out run")
    wait_for(tmp_path / "run" / "unfinished" / "run-000.npz", child)
    yield child
    child.send(signal.SIGKILL)


def test_a_running_search_locks_its_folder(run_command, tmp_path, running):
    again = f"search boston --out run --force {QUICK}"
    for refused in ("search --resume run", again):
        *_, line = run_command(refused, code=75).stderr.splitlines()
        assert "'run' is in use by another process" in line
    assert (tmp_path / "run" / "unfinished" / "run-000.npz").exists()
    running.send(signal.SIGKILL)
    run_command(again)  # the lock of a dead owner is taken over
    finished(tmp_path)
