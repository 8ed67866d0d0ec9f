"""One writer at a time: a lock beside what is written, held by one process at most."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

PATIENCE = 0.2  # seconds to wait for an owner who is just about to release the lock


class InUseError(ValueError):
    """Another process writes what this one was to write.

    Examples
    --------
    >>> issubclass(InUseError, ValueError)
    True
    """


@contextmanager
def hold(path: Path) -> Iterator[None]:
    """Lock a file or a folder against other writers.

    The system releases the lock when its owner dies, however that happens; the next one takes it
    over. Folders above ``path`` are made, and removed if they stay empty.

    Raises
    ------
    InUseError
        If another process holds it: which one, and since when.
    """
    target = path.resolve()
    lock = target.with_name(f".{target.name}.lock")
    with making_folder(target.parent):
        held = FileLock(lock, timeout=PATIENCE)
        try:
            held.acquire(poll_interval=PATIENCE / 10)
        except Timeout:
            raise InUseError(
                f"'{path}' is in use by {_owner(lock)}: wait until it ends, or name another"
            ) from None
        try:
            with suppress(OSError):  # Windows lets nobody write to a file that is locked
                lock.write_text(
                    f"process {os.getpid()} on {platform.node()} since "
                    f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S %Z}",
                    encoding="utf-8",
                )
            yield
        finally:
            with suppress(OSError):  # Windows removes it when it is released
                lock.unlink()
            held.release()


@contextmanager
def making_folder(path: Path) -> Iterator[None]:
    """Make a folder and those above it; the ones that stay empty are removed at the end."""
    made = [p for p in (path, *path.parents) if not p.exists()]
    path.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        with suppress(OSError):  # not empty: something was written to it, if not by this process
            for folder in made:
                folder.rmdir()


def _owner(lock: Path) -> str:
    try:
        return lock.read_text(encoding="utf-8").strip() or "another process"
    except OSError:
        return "another process"
