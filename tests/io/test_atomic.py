"""Atomic writes: a file is complete or absent, and no other file changes; locks."""

import contextlib
import os
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from moselect.io import InUseError
from moselect.io.atomic import hold, write_file
from tests.children import fork, wait_for_exit

posix = pytest.mark.skipif(
    os.name != "posix", reason="POSIX permissions, links and devices"
)


@posix
@pytest.mark.parametrize("mode", [0o600, 0o444])
def test_a_file_that_is_replaced_keeps_its_mode(tmp_path, mode):
    path = tmp_path / "model.json"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == mode


@posix
def test_a_link_leads_to_the_file_that_is_replaced(tmp_path):
    (tmp_path / "store").mkdir()
    (tmp_path / "latest").symlink_to(Path("store") / "model.json")
    for content in (b"first", b"second"):  # the link dangles at first
        write_file(tmp_path / "latest", content)
        assert (tmp_path / "store" / "model.json").read_bytes() == content
    assert (tmp_path / "latest").is_symlink()


def test_only_one_of_several_concurrent_writers_creates_a_file(tmp_path):
    barrier = Barrier(4)

    def claim(i):
        barrier.wait(10)
        write_file(tmp_path / "model.json", b"%d" % i, overwrite=False)
        return b"%d" % i

    with ThreadPoolExecutor(4) as executor:
        ended = [executor.submit(claim, i) for i in range(4)]
    errors = [str(one.exception()) for one in ended if one.exception() is not None]
    (written,) = (one.result() for one in ended if one.exception() is None)
    assert len(errors) == 3
    assert all("exists already" in error for error in errors)
    assert (tmp_path / "model.json").read_bytes() == written
    assert list(tmp_path.iterdir()) == [tmp_path / "model.json"]


processes = pytest.mark.skipif(not hasattr(os, "fork"), reason="copies this process")


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
