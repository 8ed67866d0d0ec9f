"""What is written for users: complete or not at all, and nothing else is touched."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from moselect.storage import check_file_path, replacing

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX permissions, links and devices")


def write(path, content=b"new"):
    with replacing(path) as file:
        file.write(content)


def test_a_file_that_is_not_finished_leaves_the_old_one(tmp_path):
    path = tmp_path / "model.json"
    path.write_bytes(b"old")

    def fail_halfway():
        with replacing(path) as file:
            file.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_halfway()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@posix
def test_a_full_disk_names_the_file(tmp_path):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        with pytest.raises(OSError, match=r"too large: '.*model\.json'"):
            write(tmp_path / "model.json", bytes(100))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o444])
def test_a_file_that_is_replaced_keeps_its_mode(tmp_path, mode):
    path = tmp_path / "model.json"
    path.write_bytes(b"old")
    path.chmod(mode)
    with replacing(path) as file:
        parts = [p.stat() for p in tmp_path.iterdir() if p != path]
        assert [stat.S_IMODE(part.st_mode) for part in parts] == [mode]  # never open to more
        file.write(b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == mode


@posix
@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
def test_a_new_file_has_the_mode_that_the_user_set_for_new_files(tmp_path, umask):
    before = os.umask(umask)
    try:
        write(tmp_path / "model.json")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "model.json").stat().st_mode) == 0o666 & ~umask


@posix
def test_a_planted_link_is_not_followed(tmp_path):
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    planted = tmp_path / f".model.json.{os.getpid()}.part"
    planted.symlink_to(victim)
    names = set()
    for _ in range(3):
        with replacing(tmp_path / "model.json") as file:
            names |= {p.name for p in tmp_path.iterdir() if p.suffix == ".part"}
            file.write(b"new")
    assert victim.read_bytes() == b"mine"
    assert len(names - {planted.name}) == 3  # another name each time: nothing to plant


@posix
def test_of_a_link_the_file_it_points_to_is_replaced(tmp_path):
    (tmp_path / "store").mkdir()
    (tmp_path / "latest").symlink_to(Path("store") / "model.json")
    for content in (b"first", b"second"):  # the link dangles at first
        write(tmp_path / "latest", content)
        assert (tmp_path / "store" / "model.json").read_bytes() == content
    assert (tmp_path / "latest").is_symlink()
    assert len(list(tmp_path.rglob("*"))) == 3


def make_device(path, kind, major, minor):
    """Make a device of our own: a test that fails must not cost the machine one of its own."""
    try:
        os.mknod(path, 0o600 | kind, os.makedev(major, minor))
    except OSError:
        pytest.skip("only the administrator may make a device")


@posix
def test_a_device_is_written_to(tmp_path):
    path = tmp_path / "null"
    make_device(path, stat.S_IFCHR, 1, 3)
    write(path)
    assert path.is_char_device()
    assert list(tmp_path.iterdir()) == [path]


@posix
def test_a_pipe_is_written_to(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()), daemon=True)
    reader.start()
    write(path)
    reader.join(10)
    assert read == [b"new"]
    assert path.is_fifo()


@posix
def test_a_disk_is_refused(tmp_path):
    path = tmp_path / "disk"
    make_device(path, stat.S_IFBLK, 7, 250)
    with pytest.raises(ValueError, match="is a disk"):
        check_file_path(path)
    with pytest.raises(ValueError, match="is a disk"):
        write(path)
    assert path.is_block_device()


def test_a_link_to_itself_is_refused(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(ValueError, match="leads back to itself"):
        check_file_path(tmp_path / "a")


@pytest.mark.parametrize("name", ["run.json", "front.csv", "folds-12.csv", "columns-12.skops"])
def test_parts_of_a_run_are_not_replaced_by_other_files(tmp_path, name):
    for part in {"run.json", "front.csv", name}:
        (tmp_path / part).write_text("kept")
    (tmp_path / "link").symlink_to(tmp_path / name)
    for path in (tmp_path / name, tmp_path / "link"):
        with pytest.raises(ValueError, match="is part of what a search found"):
            check_file_path(path)
    check_file_path(tmp_path / "model.json")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / name).write_text("no run")
    check_file_path(tmp_path / "elsewhere" / name)
