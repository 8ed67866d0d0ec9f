"""Searches that were killed, interrupted, or ran out of disk go on as if nothing had happened."""

from __future__ import annotations

import json
import resource
import signal

import pytest

from moselect.storage import read_run
from tests.cli.conftest import called, start, wait_for

SEARCH = ("search", "boston", "--seed", "5", "--runs", "2", "--evaluations", "50000")


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    """Give the front, and the name of those of the folds, of a search that nothing disturbed."""
    folder = tmp_path_factory.mktemp("straight")
    called(folder, *SEARCH, "--out", "run")
    return finished(folder)


def kill(process):
    process.kill()
    process.communicate()


def finished(folder):
    figures, folds, front, record = sorted(path.name for path in (folder / "run").iterdir())
    assert (figures, front, record) == ("figures", "front.csv", "run.json")
    assert folds.startswith("folds-")  # and a hash of what is in it
    return (folder / "run" / front).read_bytes(), folds


@pytest.mark.slow
def test_a_killed_search_goes_on_to_the_same_front(moselect, tmp_path, straight):
    unfinished = tmp_path / "run" / "unfinished"
    process = start(tmp_path, *SEARCH, "--out", "run")
    wait_for(unfinished / "run.json", process)  # before anything was found
    kill(process)
    refused = moselect("plot", "run")
    assert refused.returncode == 2
    assert "moselect search --resume run" in refused.stderr
    process = start(tmp_path, "search", "--resume", "run")
    wait_for(unfinished / "run-000.npz", process)
    kill(process)
    process = start(tmp_path, "search", "boston", "--resume", "run")
    wait_for(unfinished / "run-001.npz", process)
    kill(process)
    done = moselect("search", "--resume", "run", "--jobs", 2)
    assert done.returncode == 0, done.stderr
    assert finished(tmp_path) == straight
    again = moselect("search", "--resume", "run")
    assert again.returncode == 0
    assert "has ended" in again.stderr


@pytest.mark.slow
def test_an_interrupted_search_has_a_front_and_can_go_on(inside, tmp_path, straight):
    process = start(tmp_path, *SEARCH, "--out", "run")
    wait_for(tmp_path / "run" / "unfinished" / "run-000.npz", process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert "--resume run" in errors
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["interrupted"]
    assert 0 < record["n_evaluations"] < 50_000
    assert len(read_run(tmp_path / "run").front) == record["n_models"]
    done = inside("search", "--resume", "run")
    assert done.returncode == 0, done.stderr
    assert finished(tmp_path) == straight


def fill_disk():
    """Let no file of this process grow beyond what a record needs."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


@pytest.mark.slow
def test_on_a_full_disk_the_search_goes_on_and_says_so(moselect, tmp_path, straight):
    process = start(tmp_path, *SEARCH, "--out", "run", preexec_fn=fill_disk)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 2
    told = " ".join(errors.split())
    assert "no checkpoint could be written" in told
    assert "the search goes on" in told
    assert told.endswith("make room and go on, moselect search --resume run")
    assert "Traceback" not in errors
    done = moselect("search", "--resume", "run")
    assert done.returncode == 0, done.stderr
    assert finished(tmp_path) == straight
