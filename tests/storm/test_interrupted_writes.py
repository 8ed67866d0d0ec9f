"""Commands that are killed or meet a full disk: no file is lost, and the next run works."""

import functools
import os
import random

import pytest

from moselect.io.kept import FOLDER, LAST
from tests.children import count_disk_changes, limit_file_size, run, snapshot_before
from tests.storm.writers import (
    WRITERS,
    check_success,
    copy,
    error_line,
    files_of,
    fill,
    recovery_command,
)

pytestmark = pytest.mark.slow

# of each command, once for something new and once for something that is replaced
KILLS = 2
FULL = 2  # disks of each command


def lasting_files(folder):
    """Files that a command replaces only with --force."""
    files = files_of(folder)
    files.pop(f"run/{FOLDER}/{LAST}.npz", None)  # the settings of the last select
    return files


def selections_of(folder):
    """Return the names of the files of each selection."""
    return {
        path.name: sorted(file.name for file in path.iterdir())
        for path in (folder / "run" / "selections").glob("[0-9]*")
    }


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """Folder with a table, a run, a model, predictions, costs and a page."""
    if not hasattr(os, "fork"):
        pytest.skip("commands run in copies of this process")
    return fill(tmp_path_factory.mktemp("filled"))


@pytest.fixture(scope="module")
def uninterrupted(filled, tmp_path_factory):
    """Folder of an uninterrupted command, and its number of disk changes."""

    @functools.cache
    def run_undisturbed(command):
        folder = copy(filled, tmp_path_factory.mktemp("uninterrupted") / "folder")
        n_changes, ended = count_disk_changes(folder, command)
        check_success(ended)
        return folder, n_changes

    return run_undisturbed


@pytest.fixture
def killed(filled, uninterrupted, tmp_path):
    """Folders that a command leaves when it is killed at random moments."""

    def kill(command, seed):
        n_changes = uninterrupted(command)[1]
        moments = random.Random(seed).sample(range(n_changes), min(KILLS, n_changes))
        folder = copy(filled, tmp_path / "folder")
        check_success(run(folder, command, snapshot_before(moments, folder, tmp_path)))
        return [tmp_path / f"killed-{moment}" for moment in moments]

    return kill


@pytest.mark.parametrize("name", WRITERS)
def test_a_killed_command_is_recovered(filled, uninterrupted, killed, name):
    writer = WRITERS[name]
    expected = writer.content(uninterrupted(writer.command)[0] / writer.new)
    before = lasting_files(filled).items()
    selections = selections_of(uninterrupted(writer.command)[0])
    for folder in killed(writer.command, seed=0):
        assert before <= files_of(folder).items(), (folder, "finished files are lost")
        assert selections_of(folder).items() <= selections.items()
        check_success(run(folder, recovery_command(folder, writer.command, writer.new)))
        assert writer.content(folder / writer.new) == expected, folder


@pytest.mark.parametrize("name", WRITERS)
def test_a_killed_replacement_is_recovered(filled, uninterrupted, killed, name):
    writer = WRITERS[name]
    older = writer.content(filled / writer.old)
    newer = writer.content(uninterrupted(writer.replaces)[0] / writer.old)
    assert newer != older
    reading = {"search": "plot run", "select": "predict m.json t.csv"}
    for folder in killed(writer.replaces, seed=1):
        if name in reading:  # old or new
            check_success(run(folder, reading[name]))
        check_success(run(folder, recovery_command(folder, writer.replaces, writer.old)))
        assert writer.content(folder / writer.old) == newer, folder


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_loses_no_file(filled, uninterrupted, tmp_path, name):
    writer = WRITERS[name]
    finished, _ = uninterrupted(writer.command)
    expected = writer.content(finished / writer.new)
    before = lasting_files(filled)
    changed = dict(files_of(finished).items() - before.items())
    # Pictures, kept fits and trials are optional: their lack is a warning only.
    needed = changed.get(str(writer.new), changed.get(f"{writer.new}/trials.csv"))
    largest = max(map(len, changed.values() if needed is None else [needed]))
    draw = random.Random(0)
    codes = []
    for i in range(FULL):
        folder = copy(filled, tmp_path / f"full-{i}")
        limit = draw.randrange(largest)
        ended = run(folder, writer.command, limit_file_size(limit))
        codes.append(ended.returncode)
        assert before.items() <= files_of(folder).items()
        if ended.returncode != 0:
            assert "too large" in error_line(ended).lower(), ended
        check_success(run(folder, recovery_command(folder, writer.command, writer.new)))
        assert writer.content(folder / writer.new) == expected, limit
    assert 74 in codes
