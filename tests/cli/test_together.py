"""Commands at the same time: what one has finished no other one takes away."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from moselect.storage import read_run
from tests.cli.conftest import start, wait_for

QUICK = ("--evaluations", "60", "--particles", "20", "--folds", "0")
LONG = ("search", "boston", "--evaluations", "100000000")


@pytest.fixture
def running(tmp_path):
    """Give a search that goes on and on, in the folder "run"."""
    process = start(tmp_path, *LONG, "--out", "run")
    wait_for(tmp_path / "run" / "unfinished" / "run-000.npz", process)
    yield process
    process.kill()
    process.communicate()


@pytest.mark.slow
def test_the_folder_of_a_search_that_goes_on_is_its_own(inside, tmp_path, running):
    for arguments in (
        ("--resume", "run"),
        ("boston", "--out", "run", "--force", *QUICK),
    ):
        done = inside("search", *arguments)
        assert done.returncode == 2
        *_, line = done.stderr.splitlines()
        assert f"'run' is in use by process {running.pid} on " in line
        assert " since 2" in line
    assert (tmp_path / "run" / "unfinished" / "run-000.npz").exists()
    running.kill()
    running.wait()
    done = inside("search", "boston", "--out", "run", "--force", *QUICK)
    assert done.returncode == 0, done.stderr  # the lock of a dead owner is taken over
    names = sorted(path.name for path in (tmp_path / "run").iterdir())
    assert names == ["figures", "front.csv", "run.json"]


@pytest.mark.slow
def test_searches_at_once_have_folders_of_their_own(tmp_path):
    searches = [start(tmp_path, "search", "boston", "--seed", str(i), *QUICK) for i in range(4)]
    ended = [search.communicate(timeout=120) for search in searches]
    assert [search.returncode for search in searches] == [0] * 4, ended
    runs = [read_run(path) for path in (tmp_path / "runs").iterdir()]
    assert sorted(run.record["settings"]["random_state"] for run in runs) == [0, 1, 2, 3]


FAILING = """
import sys, time
from pathlib import Path
from moselect import ParetoSearch
from moselect.cli import main

def fit(*_, **__):
    while not Path("go").exists():
        time.sleep(0.02)
    raise ValueError("nothing was found")

ParetoSearch.fit = fit
sys.argv = ["moselect", "search", "boston"]
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize(("ended", "code"), [("failed", 2), ("interrupted", 130)])
def test_a_search_without_a_result_leaves_the_run_of_another(moselect, tmp_path, ended, code):
    process = subprocess.Popen([sys.executable, "-c", FAILING], cwd=tmp_path)
    first = tmp_path / "runs" / "boston-001"
    wait_for(first / "unfinished" / "run.json", process)
    lock = first.with_name(".boston-001.lock")
    assert lock.read_text().startswith(f"process {process.pid} on ")
    done = moselect("search", "boston", "--seed", 7, *QUICK)
    assert done.returncode == 0, done.stderr
    assert lock.exists()
    if ended == "failed":
        (tmp_path / "go").touch()
    else:
        process.send_signal(signal.SIGINT)
    assert process.wait(60) == code
    (run,) = (tmp_path / "runs").iterdir()
    assert read_run(run).record["settings"]["random_state"] == 7
