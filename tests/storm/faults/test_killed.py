"""SIGKILL at any moment of all commands that write: nothing is lost, the next one works."""

from __future__ import annotations

import pytest

from tests.storm.faults.children import DIED, changes_of, kill_at, moments, run
from tests.storm.faults.commands import WRITERS, copy, done, files_of

KILLS = 6  # of each command, once for something new and once for something that is replaced


@pytest.mark.parametrize("name", WRITERS)
def test_something_new_is_there_or_not(filled, tmp_path, storm, name):
    writer = WRITERS[name]
    straight = copy(filled, tmp_path / "straight")
    n_changes, seconds, ended = changes_of(straight, *writer.command)
    done(ended)
    expected = writer.content(straight / writer.new)
    seed, factor = storm
    codes = []
    for i, moment in enumerate(moments(seed, n_changes, seconds, KILLS * factor)):
        folder = copy(filled, tmp_path / f"killed-{i}")
        before = files_of(folder)
        codes.append(kill_at(moment, folder, *writer.command).code)
        after = files_of(folder)
        assert before.items() <= after.items(), (moment, "finished files are lost")
        done(run(folder, *next_command(name, folder, writer.command, writer.new)))
        assert writer.content(folder / writer.new) == expected, moment
    assert set(codes) <= {DIED, 0}
    assert DIED in codes


@pytest.mark.parametrize("name", WRITERS)
def test_something_older_is_there_until_it_is_replaced(filled, tmp_path, storm, name):
    writer = WRITERS[name]
    older = writer.content(filled / writer.old)
    straight = copy(filled, tmp_path / "straight")
    n_changes, seconds, ended = changes_of(straight, *writer.replaces)
    done(ended)
    newer = writer.content(straight / writer.old)
    assert newer != older or name == "report"
    seed, factor = storm
    for i, moment in enumerate(moments(seed + 1, n_changes, seconds, KILLS * factor)):
        folder = copy(filled, tmp_path / f"killed-{i}")
        kill_at(moment, folder, *writer.replaces)
        readable(name, folder)
        done(run(folder, *next_command(name, folder, writer.replaces, writer.old)))
        assert writer.content(folder / writer.old) == newer, moment


def next_command(name, folder, command, what):
    """Return what somebody does whose command was killed."""
    if name == "search":
        if (folder / what / "unfinished" / "run.json").exists():
            return "search", "--resume", what, "--quiet"
        return (*command, "--force") if (folder / what).exists() else command
    if name == "compare":
        return (*command, "--extend") if (folder / what).exists() else command
    return command if "--force" in command else (*command, "--force")


def readable(name, folder):
    """Assert that commands read what was left, old or new."""
    reading = {
        "search": ("plot", "run", "-q"),
        "select": ("predict", "m.json", "t.csv"),
        "export": ("predict", "m0.json", "t.csv"),
    }
    if name in reading:
        done(run(folder, *reading[name]))
    if name == "compare":
        WRITERS[name].content(folder / "c.npz")
