"""Files that appear complete or not at all, whatever happens while they are written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def check_file_path(path: Path) -> None:
    """Raise ValueError if no file can be written to ``path``."""
    if not path.parent.is_dir():
        raise ValueError(f"there is no folder '{path.parent}' to write '{path.name}' to: make it")
    if path.is_dir():
        raise ValueError(f"'{path}' is a folder: name a file to write")


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that takes the place of ``path`` once all of it has reached the disk."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder reach the disk, where the system can do that."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
