"""Workers that are killed, threads, processes and those of a Dask cluster: the work goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from moselect.storage import read_comparison
from tests.storm.faults.children import kill_after, run
from tests.storm.faults.commands import COMPARE, SMALL, WRITERS, copy, done, front_of

SCRIPT = Path(sys.executable).with_name("moselect")
SEARCH = ("search", "t.csv", "--runs", 4, "--folds", 0, *SMALL, "--out", "new")
MODELS = "trivial,ordinal_ridge,proportional_odds"


def start(folder, *arguments):
    return subprocess.Popen(
        [SCRIPT, *map(str, arguments)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "MOSELECT_DATA": ""},
    )


def test_threads_die_with_their_process(filled, tmp_path):
    straight, folder = copy(filled, tmp_path / "straight"), copy(filled, tmp_path / "folder")
    started = time.monotonic()
    done(run(straight, *SEARCH))
    kill_after((time.monotonic() - started) / 2, folder, *SEARCH, "--jobs", 2)
    if (folder / "new" / "unfinished" / "run.json").exists():
        done(run(folder, "search", "--resume", "new", "--jobs", 2))
    elif not (folder / "new" / "run.json").exists():
        done(run(folder, *SEARCH, *(["--force"] if (folder / "new").exists() else [])))
    assert front_of(folder / "new") == front_of(straight / "new")


def test_a_killed_process_of_a_comparison(filled, tmp_path):
    psutil = pytest.importorskip("psutil", reason="finds the processes of a command")
    straight, folder = copy(filled, tmp_path / "straight"), copy(filled, tmp_path / "folder")
    compare = (*COMPARE, "--models", MODELS)
    done(run(straight, *compare, "--out", "new.npz"))
    process = start(folder, *compare, "--jobs", 2, "--out", "new.npz")
    try:
        workers = []
        while not workers and process.poll() is None:
            time.sleep(0.01)
            workers = [
                one
                for one in psutil.Process(process.pid).children(recursive=True)
                if "popen_loky" in " ".join(one.cmdline())
            ]
        for worker in workers[:1]:
            worker.kill()
        _, told = process.communicate(timeout=600)
    finally:
        process.kill()
        process.communicate()
    assert "Traceback" not in told
    assert process.returncode in (0, 2), told
    if (folder / "new.npz").exists():
        read_comparison(folder / "new.npz")
    done(run(folder, *compare, "--out", "new.npz", "--extend"))
    content = WRITERS["compare"].content
    found, expected = content(folder / "new.npz"), content(straight / "new.npz")
    assert found == expected


@pytest.fixture
def cluster():
    distributed = pytest.importorskip("distributed", reason="needs Dask")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, protocol="tcp"
    ) as cluster:
        yield cluster


@pytest.mark.filterwarnings("ignore")  # of Dask, about its worker that died
def test_a_killed_worker_of_a_cluster(filled, tmp_path, cluster):
    straight, folder = copy(filled, tmp_path / "straight"), copy(filled, tmp_path / "folder")
    done(run(straight, *SEARCH))
    process = start(folder, *SEARCH, "--dask", cluster.scheduler_address)
    try:
        unfinished = folder / "new" / "unfinished" / "run.json"
        while process.poll() is None and not unfinished.exists():
            time.sleep(0.01)
        os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
        _, told = process.communicate(timeout=600)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 0, told
    assert front_of(folder / "new") == front_of(straight / "new")
