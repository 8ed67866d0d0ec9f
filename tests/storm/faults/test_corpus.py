"""What the fuzzers start from, and what they found: each file is read, or refused in one line."""

from __future__ import annotations

import shutil

import pytest

from tests.storm.fuzz import CORPUS, READERS, WrongError, check

FILES = sorted(path for path in CORPUS.rglob("*") if path.is_file())


def test_every_reader_has_files():
    assert {path.parent.name for path in FILES} == set(READERS)


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_files_are_read_or_refused(tmp_path, path):
    copy = tmp_path / path.name
    shutil.copy(path, copy)
    check(READERS[path.parent.name], copy)


def test_the_check_finds_what_is_wrong(tmp_path):
    def crash(path):
        raise KeyError("column")

    def rave(path):
        raise ValueError("x" * 10_000)

    for reader, found in ((crash, "KeyError"), (rave, "10000 characters")):
        with pytest.raises(WrongError, match=found):
            check(reader, tmp_path)
