"""Several processes and threads that want to write the same thing."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest

from moselect.datasets import Dataset
from moselect.storage import InUseError, claim_run
from moselect.storage.lock import claim_new_run, hold

DATA = Dataset(
    "grades", pd.DataFrame({"a": [1.0, 2.0]}), pd.Series([1, 2]), (1, 2), "grade"
)
HOLD = """
import sys, time
from pathlib import Path
from moselect.storage.checkpoints import begin_run
from moselect.storage.lock import claim_new_run, hold
with hold(Path({path!r})):
    print("held", flush=True)
    time.sleep(60)
"""
COUNT = """
import sys, time
from pathlib import Path
from moselect.storage.lock import InUseError, hold
path, done = Path({path!r}), 0
while done < 25:
    try:
        with hold(path):
            count = int(path.read_text())
            time.sleep(0.001)
            path.write_text(str(count + 1))
            done += 1
    except InUseError:
        pass
"""


def python(script):
    return subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
    )


def test_the_second_one_hears_who_holds_it_since_when(tmp_path):
    path = tmp_path / "thing"
    owner = python(HOLD.format(path=str(path)))
    try:
        assert owner.stdout.readline() == "held\n"
        with pytest.raises(InUseError) as told, hold(path):
            pass
    finally:
        owner.kill()  # as a machine that runs out of memory would
        owner.communicate()
    since = rf"'{path}' is in use by process {owner.pid} on \S+ since {time.strftime('%Y-%m-')}"
    assert re.match(since, str(told.value))
    assert len(str(told.value).splitlines()) == 1
    assert [p.name for p in tmp_path.rglob(".*")] != []  # what the dead owner left behind
    with hold(path):
        pass
    assert list(tmp_path.rglob(".*")) == []


def test_threads_of_one_process_are_told_as_well(tmp_path):
    path = tmp_path / "thing"
    with hold(path), ThreadPoolExecutor() as pool:

        def second():
            with hold(path):
                return "written twice"

        assert isinstance(pool.submit(second).exception(), InUseError)


@pytest.mark.slow
def test_nobody_writes_while_another_does(tmp_path):
    path = tmp_path / "count"
    path.write_text("0")
    writers = [python(COUNT.format(path=str(path))) for _ in range(3)]
    assert [writer.communicate(timeout=120) for writer in writers] == [("", None)] * 3
    assert [writer.returncode for writer in writers] == [0] * 3
    assert path.read_text() == "75"
    assert list(tmp_path.iterdir()) == [path]


def test_folders_that_nothing_was_written_to_are_removed(tmp_path):
    with claim_run(tmp_path / "deep" / "run"):
        (tmp_path / "deep" / "other").mkdir()  # by another process
    assert [p.name for p in tmp_path.rglob("*")] == ["deep", "other"]


def test_every_search_has_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    together = threading.Barrier(8)

    def claim(_):
        together.wait(10)
        with claim_new_run("boston") as path:
            (path / "front.csv").write_text("found")
            time.sleep(0.01)
            return path

    with ThreadPoolExecutor(8) as pool:
        paths = set(pool.map(claim, range(32)))
    assert len(paths) == 32
    assert {p.parent for p in (tmp_path / "runs").rglob("front.csv")} == {
        tmp_path / path for path in paths
    }
    assert list(tmp_path.rglob(".*")) == []
