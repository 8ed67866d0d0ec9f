"""Commands that are killed or run out of room: nothing is lost, and the next one works."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from tests.children import DIED, changes_of, dying_at, moments, no_room, once_there, run
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
KILLS = 7
FULL = 3  # disks of each command
SEARCH = (
    "search",
    "t.csv",
    "--runs",
    4,
    "--folds",
    0,
    "--seed",
    3,
    *SMALL,
    "--out",
    "new",
)


@pytest.mark.parametrize("name", WRITERS)
def test_something_new_is_there_or_not(filled, tmp_path, name):
    writer = WRITERS[name]
    straight = copy(filled, tmp_path / "straight")
    n_changes, ended = changes_of(straight, *writer.command)
    done(ended)
    expected = writer.content(straight / writer.new)
    codes = []
    for i, moment in enumerate(moments(0, n_changes, KILLS)):
        folder = copy(filled, tmp_path / f"killed-{i}")
        before = files_of(folder)
        codes.append(run(folder, *writer.command, prepare=dying_at(moment)).returncode)
        assert before.items() <= files_of(folder).items(), (
            moment,
            "finished files are lost",
        )
        done(run(folder, *again(folder, writer.command, writer.new)))
        assert writer.content(folder / writer.new) == expected, moment
    assert set(codes) <= {DIED, 0}
    assert DIED in codes


@pytest.mark.parametrize("name", WRITERS)
def test_something_older_is_there_until_it_is_replaced(filled, tmp_path, name):
    writer = WRITERS[name]
    older = writer.content(filled / writer.old)
    straight = copy(filled, tmp_path / "straight")
    n_changes, ended = changes_of(straight, *writer.replaces)
    done(ended)
    newer = writer.content(straight / writer.old)
    assert newer != older or name == "report"
    reading = {"search": ("plot", "run"), "select": ("predict", "m.json", "t.csv")}
    for i, moment in enumerate(moments(1, n_changes, KILLS)):
        folder = copy(filled, tmp_path / f"killed-{i}")
        run(folder, *writer.replaces, prepare=dying_at(moment))
        if name in reading:  # old or new
            done(run(folder, *reading[name]))
        done(run(folder, *again(folder, writer.replaces, writer.old)))
        assert writer.content(folder / writer.old) == newer, moment


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk(filled, tmp_path, name):
    writer = WRITERS[name]
    straight = copy(filled, tmp_path / "straight")
    done(run(straight, *writer.command))
    expected = writer.content(straight / writer.new)
    before = files_of(filled)
    largest = max(
        len(f) for path, f in files_of(straight).items() if before.get(path) != f
    )
    draw = random.Random(0)
    codes = []
    for i in range(FULL):
        folder = copy(filled, tmp_path / f"full-{i}")
        limit = draw.randrange(largest)
        ended = run(folder, *writer.command, prepare=no_room(limit))
        codes.append(ended.returncode)
        assert before.items() <= files_of(folder).items()
        if ended.returncode != 0:
            assert "too large" in refused(ended).lower(), ended
        done(run(folder, *again(folder, writer.command, writer.new)))
        assert writer.content(folder / writer.new) == expected, limit
    assert 2 in codes


def test_threads_die_with_their_process(filled, tmp_path):
    straight, folder = (
        copy(filled, tmp_path / "straight"),
        copy(filled, tmp_path / "folder"),
    )
    done(run(straight, *SEARCH))
    dying = once_there("new/unfinished/run-000.npz", signal.SIGKILL)
    assert run(folder, *SEARCH, "--jobs", 2, prepare=dying).returncode == DIED
    done(run(folder, *again(folder, SEARCH, "new")))
    assert front_of(folder / "new") == front_of(straight / "new")


ON_A_CLUSTER = """
import sys
import joblib
from distributed import Client
from moselect.cli import main

with Client(sys.argv.pop(1)), joblib.parallel_config(backend="dask"):
    main()
"""


@pytest.mark.filterwarnings("ignore")  # of Dask, about its worker that died
def test_a_killed_worker_of_a_cluster(filled, tmp_path):
    distributed = pytest.importorskip("distributed", reason="needs Dask")
    straight, folder = (
        copy(filled, tmp_path / "straight"),
        copy(filled, tmp_path / "folder"),
    )
    done(run(straight, *SEARCH))
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, protocol="tcp"
    ) as cluster:
        process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                ON_A_CLUSTER,
                cluster.scheduler_address,
                *map(str, SEARCH),
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
    assert front_of(folder / "new") == front_of(straight / "new")
