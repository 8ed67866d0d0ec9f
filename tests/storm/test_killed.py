"""Commands that are killed or run out of room: nothing is lost, and the next one works."""

from __future__ import annotations

import functools
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from tests.children import changes_of, left_at, no_room, run
from tests.storm.writers import (
    SMALL,
    WRITERS,
    again,
    copy,
    done,
    files_of,
    front_of,
    refused,
)

pytestmark = pytest.mark.slow

# of each command, once for something new and once for something that is replaced
KILLS = 3
FULL = 2  # disks of each command
SEARCH = f"search t.csv --runs 4 --folds 0 --seed 3 --out new {SMALL}"


@pytest.fixture(scope="module")
def straight(filled, tmp_path_factory):
    """Give the folder in which a command ran undisturbed, and its changes of the disk."""

    @functools.cache
    def run_undisturbed(command):
        folder = copy(filled, tmp_path_factory.mktemp("straight") / "folder")
        n_changes, ended = changes_of(folder, command)
        done(ended)
        return folder, n_changes

    return run_undisturbed


@pytest.fixture
def killed(filled, straight, tmp_path):
    """Give the folders that a command leaves which is killed, each at another moment."""

    def kill(command, seed):
        n_changes = straight(command)[1]
        moments = random.Random(seed).sample(range(n_changes), min(KILLS, n_changes))
        folder = copy(filled, tmp_path / "folder")
        done(run(folder, command, left_at(moments, folder, tmp_path)))
        return [tmp_path / f"killed-{moment}" for moment in moments]

    return kill


@pytest.mark.parametrize("name", WRITERS)
def test_something_new_is_there_or_not(filled, straight, killed, name):
    writer = WRITERS[name]
    expected = writer.content(straight(writer.command)[0] / writer.new)
    before = files_of(filled).items()
    for folder in killed(writer.command, seed=0):
        assert before <= files_of(folder).items(), (folder, "finished files are lost")
        done(run(folder, again(folder, writer.command, writer.new)))
        assert writer.content(folder / writer.new) == expected, folder


@pytest.mark.parametrize("name", WRITERS)
def test_something_older_is_there_until_it_is_replaced(filled, straight, killed, name):
    writer = WRITERS[name]
    older = writer.content(filled / writer.old)
    newer = writer.content(straight(writer.replaces)[0] / writer.old)
    assert newer != older or name == "report"
    reading = {"search": "plot run", "select": "predict m.json t.csv"}
    for folder in killed(writer.replaces, seed=1):
        if name in reading:  # old or new
            done(run(folder, reading[name]))
        done(run(folder, again(folder, writer.replaces, writer.old)))
        assert writer.content(folder / writer.old) == newer, folder


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk(filled, straight, tmp_path, name):
    writer = WRITERS[name]
    finished, _ = straight(writer.command)
    expected = writer.content(finished / writer.new)
    before = files_of(filled)
    changed = dict(files_of(finished).items() - before.items())
    largest = max(map(len, changed.values()))
    draw = random.Random(0)
    codes = []
    for i in range(FULL):
        folder = copy(filled, tmp_path / f"full-{i}")
        limit = draw.randrange(largest)
        ended = run(folder, writer.command, no_room(limit))
        codes.append(ended.returncode)
        assert before.items() <= files_of(folder).items()
        if ended.returncode != 0:
            assert "too large" in refused(ended).lower(), ended
        done(run(folder, again(folder, writer.command, writer.new)))
        assert writer.content(folder / writer.new) == expected, limit
    assert 2 in codes


ON_A_CLUSTER = """
import sys
import joblib
from distributed import Client
from moselect.cli import main

with Client(sys.argv.pop(1)), joblib.parallel_config(backend="dask"):
    main()
"""


@pytest.mark.filterwarnings("ignore")  # of Dask, about its worker that died
def test_a_killed_worker_of_a_cluster(filled, straight, tmp_path):
    distributed = pytest.importorskip("distributed", reason="needs Dask")
    folder = copy(filled, tmp_path / "folder")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, protocol="tcp"
    ) as cluster:
        process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                ON_A_CLUSTER,
                cluster.scheduler_address,
                *SEARCH.split(),
            ],
            cwd=folder,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "MOSELECT_DATA": ""},
        )
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
    assert front_of(folder / "new") == front_of(straight(SEARCH)[0] / "new")
