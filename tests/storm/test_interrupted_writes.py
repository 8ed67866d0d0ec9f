"""Commands that are killed or run out of room: nothing is lost, and the next one works."""

import functools
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
    recovery_command,
)

pytestmark = pytest.mark.slow

# of each command, once for something new and once for something that is replaced
KILLS = 3
FULL = 2  # disks of each command


def lasting_files(folder):
    """Return the files that no command replaces unasked."""
    files = files_of(folder)
    files.pop(f"run/{FOLDER}/{LAST}.npz", None)  # the settings of the last select
    return files


def selections_of(folder):
    """Return the names of the files of each selection."""
    selections = (folder / "run" / "selections").glob("[0-9]*")
    return {
        path.name: sorted(file.name for file in path.iterdir()) for path in selections
    }


@pytest.fixture(scope="module")
def straight(filled, tmp_path_factory):
    """Give the folder in which a command ran undisturbed, and its changes of the disk."""

    @functools.cache
    def run_undisturbed(command):
        folder = copy(filled, tmp_path_factory.mktemp("straight") / "folder")
        n_changes, ended = count_disk_changes(folder, command)
        check_success(ended)
        return folder, n_changes

    return run_undisturbed


@pytest.fixture
def killed(filled, straight, tmp_path):
    """Give the folders that a command leaves which is killed, each at another moment."""

    def kill(command, seed):
        n_changes = straight(command)[1]
        moments = random.Random(seed).sample(range(n_changes), min(KILLS, n_changes))
        folder = copy(filled, tmp_path / "folder")
        check_success(run(folder, command, snapshot_before(moments, folder, tmp_path)))
        return [tmp_path / f"killed-{moment}" for moment in moments]

    return kill


@pytest.mark.parametrize("name", WRITERS)
def test_something_new_is_there_or_not(filled, straight, killed, name):
    writer = WRITERS[name]
    expected = writer.content(straight(writer.command)[0] / writer.new)
    before = lasting_files(filled).items()
    selections = selections_of(straight(writer.command)[0])
    for folder in killed(writer.command, seed=0):
        assert before <= files_of(folder).items(), (folder, "finished files are lost")
        assert selections_of(folder).items() <= selections.items()
        check_success(run(folder, recovery_command(folder, writer.command, writer.new)))
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
            check_success(run(folder, reading[name]))
        check_success(run(folder, recovery_command(folder, writer.replaces, writer.old)))
        assert writer.content(folder / writer.old) == newer, folder


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk(filled, straight, tmp_path, name):
    writer = WRITERS[name]
    finished, _ = straight(writer.command)
    expected = writer.content(finished / writer.new)
    before = lasting_files(filled)
    changed = dict(files_of(finished).items() - before.items())
    # Pictures and kept fits are optional: their lack is a warning only.
    needed = changed.get(str(writer.new))
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
    assert 2 in codes
