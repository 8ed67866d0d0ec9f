"""Concurrent commands: a running search keeps its run folder."""

import signal
import time

import pytest

from tests.children import Child

pytestmark = pytest.mark.slow
QUICK = "--evaluations 60 --particles 20 --folds 0"


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
        *_, line = run_command(refused, code=2).stderr.splitlines()
        assert f"'run' is in use by process {running.pid} on " in line
        assert " since 2" in line
    assert (tmp_path / "run" / "unfinished" / "run-000.npz").exists()
    running.send(signal.SIGKILL)
    run_command(again)  # the lock of a dead owner is taken over
    names = sorted(path.name for path in (tmp_path / "run").iterdir())
    assert names == ["columns.csv", "figures", "front.csv", "run.json"]
