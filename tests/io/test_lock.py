"""Locks: several processes and threads write the same file."""

import contextlib
import os
import re
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from moselect.io import InUseError
from moselect.io.lock import claim_new_run, hold
from tests.children import fork, wait_for_exit

processes = pytest.mark.skipif(not hasattr(os, "fork"), reason="copies this process")


@processes
def test_the_error_names_the_owner_of_a_lock_and_its_time(tmp_path):
    path = tmp_path / "thing"
    held = tmp_path / "held"

    def own():
        with hold(path):
            held.touch()
            time.sleep(60)

    owner = fork(own)
    while not held.exists():
        time.sleep(0.01)
    with pytest.raises(InUseError) as error, hold(path):
        pass
    os.kill(owner, signal.SIGKILL)  # as a machine that runs out of memory would
    assert wait_for_exit(owner) == -signal.SIGKILL
    since = (
        rf"'{path}' is in use by process {owner} on \S+ since {time.strftime('%Y-%m-')}"
    )
    assert re.match(since, str(error.value))
    assert len(str(error.value).splitlines()) == 1
    assert [p.name for p in tmp_path.rglob(".*")] != []  # what the dead owner left behind
    with hold(path):
        pass
    assert list(tmp_path.rglob(".*")) == []


@processes
def test_only_one_process_writes_at_a_time(tmp_path):
    path = tmp_path / "count"
    path.write_text("0")

    def count():
        done = 0
        while done < 25:
            with contextlib.suppress(InUseError), hold(path):
                before = int(path.read_text())
                time.sleep(0.001)
                path.write_text(str(before + 1))
                done += 1
        return 0

    assert [*map(wait_for_exit, [fork(count) for _ in range(3)])] == [0] * 3
    assert path.read_text() == "75"
    assert list(tmp_path.iterdir()) == [path]


def test_every_search_has_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    barrier = threading.Barrier(8)

    def claim(_):
        barrier.wait(10)
        with claim_new_run("boston") as path:
            (path / "front.csv").write_text("found")
            time.sleep(0.01)
            return path

    with ThreadPoolExecutor(8) as executor:
        paths = set(executor.map(claim, range(32)))
    assert len(paths) == 32
    assert {p.parent for p in (tmp_path / "runs").rglob("front.csv")} == {
        tmp_path / path for path in paths
    }
    assert list(tmp_path.rglob(".*")) == []
