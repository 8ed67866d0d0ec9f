"""Disks that are full, forbidden or gone: one line, nothing half-written, the next one works."""

from __future__ import annotations

import ctypes
import random
import resource
import shutil
import signal
import subprocess
import sys

import pytest

from tests.storm.faults.children import before_change, changes_of, run
from tests.storm.faults.commands import WRITERS, copy, done, files_of, refused

FAULTS = 3  # of each command
CAN_WRITE_ANYWHERE = {1, 2}  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH
CAPABILITIES_3 = 0x20080522


def limit_files(size):
    """Return what lets no file of a process grow beyond some bytes, as a full disk."""

    def prepare():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return prepare


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk(filled, tmp_path, storm, name):
    writer = WRITERS[name]
    straight = copy(filled, tmp_path / "straight")
    done(run(straight, *writer.command))
    expected = writer.content(straight / writer.new)
    sizes = [
        len(content)
        for path, content in files_of(straight).items()
        if files_of(filled).get(path) != content
    ]
    seed, factor = storm
    draw = random.Random(seed)
    codes = []
    for i in range(FAULTS * factor):
        folder = copy(filled, tmp_path / f"full-{i}")
        before = files_of(folder)
        limit = draw.randrange(max(sizes))
        ended = run(folder, *writer.command, prepare=limit_files(limit))
        codes.append(ended.code)
        assert before.items() <= files_of(folder).items()
        if ended.code != 0:
            assert "too large" in refused(ended).lower(), ended
        done(run(folder, *again(name, folder, writer.command, writer.new)))
        assert writer.content(folder / writer.new) == expected, limit
    assert 2 in codes


@pytest.mark.parametrize("name", WRITERS)
def test_a_small_disk(filled, tmp_path, name):
    """A file system of its own, which is really full."""
    writer = WRITERS[name]
    disk = tmp_path / "disk"
    disk.mkdir()
    size = sum(map(len, files_of(filled).values())) + 2**16
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk],
        capture_output=True,
        text=True,
    )
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted: {mounted.stderr.strip()}")
    try:
        folder = disk / "work"
        shutil.copytree(filled, folder)
        before = files_of(folder)
        ballast = disk / "ballast"
        with pytest.raises(OSError, match="No space left"):
            ballast.write_bytes(bytes(2 * size))  # as much of it as there is room for
        assert "No space left" in refused(run(folder, *writer.command))
        assert files_of(folder) == before
        ballast.unlink()
        folder = copy(folder, tmp_path / "elsewhere")
        done(run(folder, *again(name, folder, writer.command, writer.new)))
    finally:
        subprocess.run(["umount", disk], check=True)


def forgo_all_rights():
    """Give up the right of the superuser to write where its owner may not."""

    class Header(ctypes.Structure):
        _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))

    class Data(ctypes.Structure):
        _fields_ = tuple((name, ctypes.c_uint32) for name in ("effective", "permitted", "kept"))

    system = ctypes.CDLL(None, use_errno=True)
    header, data = Header(CAPABILITIES_3, 0), (Data * 2)()
    if system.capget(ctypes.byref(header), data):
        raise OSError(ctypes.get_errno(), "capget")
    for capability in CAN_WRITE_ANYWHERE:
        data[0].effective &= ~(1 << capability)
    if system.capset(ctypes.byref(header), data):
        raise OSError(ctypes.get_errno(), "capset")


@pytest.mark.skipif(sys.platform != "linux", reason="capabilities are those of Linux")
@pytest.mark.parametrize("name", WRITERS)
def test_a_folder_that_may_only_be_read(filled, tmp_path, name):
    writer = WRITERS[name]
    folder = copy(filled, tmp_path / "folder")
    before = files_of(folder)
    folder.chmod(0o555)
    try:
        told = refused(run(folder, *writer.command, prepare=forgo_all_rights))
    finally:
        folder.chmod(0o755)
    assert "Permission denied" in told
    assert files_of(folder) == before
    done(run(folder, *writer.command))


@pytest.mark.skipif(sys.platform != "linux", reason="capabilities are those of Linux")
def test_files_that_may_not_be_read(filled, tmp_path):
    folder = copy(filled, tmp_path / "folder")
    for path, command in (
        ("t.csv", WRITERS["search"].command),
        ("run/run.json", WRITERS["select"].command),
        ("run/front.csv", WRITERS["report"].command),
        ("m.json", WRITERS["predict"].command),
        ("c.npz", WRITERS["compare"].replaces),
    ):
        (folder / path).chmod(0)
        before = files_of(folder)
        assert path.rpartition("/")[2] in refused(run(folder, *command, prepare=forgo_all_rights))
        assert files_of(folder) == before
        (folder / path).chmod(0o644)
        done(run(folder, *command))


@pytest.mark.parametrize("name", WRITERS)
def test_folders_that_vanish(filled, tmp_path, storm, name):
    """The folder that is written to is removed by somebody else at any moment."""
    writer = WRITERS[name]
    target = "out"
    command = [
        str(part).replace("new", f"{target}/new") if str(part).startswith("new") else part
        for part in writer.command
    ]
    straight = copy(filled, tmp_path / "straight")
    (straight / target).mkdir()
    n_changes, _, ended = changes_of(straight, *command)
    done(ended)
    seed, factor = storm
    draw = random.Random(seed)
    for i in range(FAULTS * factor):
        folder = copy(filled, tmp_path / f"gone-{i}")
        (folder / target).mkdir()
        before = files_of(folder)
        gone = before_change(
            draw.randrange(n_changes), lambda: shutil.rmtree(target, ignore_errors=True)
        )
        ended = run(folder, *command, prepare=gone)
        if ended.code != 0:
            refused(ended)
        assert before.items() <= files_of(folder).items()
        shutil.rmtree(folder / target, ignore_errors=True)
        (folder / target).mkdir()
        done(run(folder, *command))


def again(name, folder, command, what):
    """Return what somebody does when there is room again."""
    if name == "search" and (folder / what / "unfinished" / "run.json").exists():
        return "search", "--resume", what, "--quiet"
    if name == "compare":
        return (*command, "--extend")
    return command if name == "search" else (*command, "--force")


def test_the_rights_were_given_up(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir(0o555)
    ended = run(
        tmp_path, "datasets", prepare=lambda: (forgo_all_rights(), (closed / "folder").mkdir())
    )
    assert "PermissionError" in ended.err
