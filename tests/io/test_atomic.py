"""Atomic writes: a file is complete or absent, and no other file changes."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from moselect.io.atomic import write_file

posix = pytest.mark.skipif(
    os.name != "posix", reason="POSIX permissions, links and devices"
)


@posix
def test_a_full_disk_names_the_file(tmp_path, limit_file_size):
    (tmp_path / "model.json").write_bytes(b"old")
    with limit_file_size(10), pytest.raises(OSError, match=r"too large: '.*model\.json'"):
        write_file(tmp_path / "model.json", bytes(100))
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


@posix
@pytest.mark.parametrize("mode", [0o600, 0o664, 0o444])
def test_a_file_that_is_replaced_keeps_its_mode(tmp_path, mode):
    path = tmp_path / "model.json"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == mode


@posix
@pytest.mark.parametrize("follow", [True, False])
def test_a_link_leads_to_the_file_that_is_replaced_or_is_replaced_itself(
    tmp_path, follow
):
    (tmp_path / "store").mkdir()
    (tmp_path / "latest").symlink_to(Path("store") / "model.json")
    for content in (b"first", b"second"):  # the link dangles at first
        write_file(tmp_path / "latest", content, follow=follow)
        assert (tmp_path / "latest").read_bytes() == content
    assert (tmp_path / "latest").is_symlink() == follow
    assert (tmp_path / "store" / "model.json").exists() == follow


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
