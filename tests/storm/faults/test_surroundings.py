"""Pipes that close, clocks that jump, no home: the same results, and no traceback."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.storm.faults.children import run
from tests.storm.faults.commands import COMPARE, WRITERS, copy, done, files_of

SCRIPT = Path(sys.executable).with_name("moselect")
PRINTING = {
    "predict": ("predict", "m.json", "t.csv"),
    "evaluate": ("evaluate", "t.csv", "--true", "grade", "--score", "a"),
    "compare": (*COMPARE[:-1], "--models", "trivial", "--out", "new.npz"),
    "select": ("select", "run", "--model", "0", "-o", "new.json", "--json"),
    "datasets": ("datasets",),
}


@pytest.mark.parametrize("name", PRINTING)
def test_nobody_reads_what_is_printed(filled, tmp_path, name):
    """As ``moselect ... | head -0``: the interpreter's own end must be quiet, too."""
    folder = copy(filled, tmp_path / "folder")
    before = files_of(folder)
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = subprocess.run(
            [SCRIPT, *map(str, PRINTING[name])],
            cwd=folder,
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            timeout=600,
            env={**os.environ, "MOSELECT_DATA": ""},
        )
    finally:
        os.close(writing)
    assert "Traceback" not in ended.stderr
    assert "Exception ignored" not in ended.stderr
    assert ended.returncode in (0, 1, 2)  # 1 where nothing could be printed
    after = files_of(folder)
    assert before.items() <= after.items()
    if name == "compare":  # fits that are finished are kept, though nobody reads about them
        assert WRITERS["compare"].content(folder / "new.npz")


def jumping_clock(seed):
    """Return what makes the clock of a process jump to and fro by years."""

    def prepare():
        draw, real = random.Random(seed), time.time

        def jumping():
            return max(0.0, real() + draw.choice([0.0, -1e9, 1e8, -3e7]))

        time.time = jumping

    return prepare


@pytest.mark.parametrize("name", WRITERS)
def test_a_clock_that_jumps(filled, tmp_path, storm, name):
    writer = WRITERS[name]
    straight, folder = copy(filled, tmp_path / "straight"), copy(filled, tmp_path / "folder")
    done(run(straight, *writer.command))
    for i, path in enumerate(sorted(folder.rglob("*"))):
        os.utime(path, (4e9 * (i % 2), 4e9 * (i % 2)))  # files from 1970 and from the future
    done(run(folder, *writer.command, prepare=jumping_clock(storm[0])))
    assert writer.content(folder / writer.new) == writer.content(straight / writer.new)


def test_no_home(filled, tmp_path):
    """Neither a home, nor folders for caches and settings, nor a terminal."""
    folder = copy(filled, tmp_path / "folder")
    straight = copy(filled, tmp_path / "straight")
    writer = WRITERS["search"]
    done(run(straight, *writer.command))
    bare = {
        name: value
        for name, value in os.environ.items()
        if name in ("PATH", "PYTHONPATH", "OMP_NUM_THREADS")
    }
    nowhere = str(folder / "t.csv" / "home")  # nor can it be made
    ended = subprocess.run(
        [SCRIPT, *map(str, writer.command)],
        cwd=folder,
        env={**bare, "HOME": nowhere, "XDG_CACHE_HOME": nowhere, "XDG_CONFIG_HOME": nowhere},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert ended.returncode == 0, ended.stderr
    assert writer.content(folder / "new") == writer.content(straight / "new")
