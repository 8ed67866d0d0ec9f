"""One writer at a time: a lock beside what is written, held by one process at most."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

LOCK = ".lock"
PATIENCE = 0.2  # seconds to wait for an owner who is just about to release the lock
LONGEST_OWNER = 200  # characters
TRIES = 100


class InUseError(ValueError):
    """Another process writes what this one was to write.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder, hold_file(Path(folder) / "model.json"):
    ...     try:
    ...         with hold_file(Path(folder) / "model.json"):
    ...             pass
    ...     except InUseError:
    ...         print("in use")
    in use
    """


@contextmanager
def hold_file(path: Path) -> Iterator[None]:
    """Lock a file against other writers.

    The system releases the lock when its owner dies, however that happens; the next one takes it
    over.

    Raises
    ------
    InUseError
        If another process holds it: which one, and since when.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with hold_file(Path(folder) / "model.json"):
    ...         print("no other process writes it now")
    no other process writes it now
    """
    with _hold(path.with_name(f".{path.name}{LOCK}"), path):
        yield


@contextmanager
def hold_folder(path: Path) -> Iterator[None]:
    """Make a folder and be its only writer for a while; errors as in `hold_file`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with hold_folder(Path(folder) / "run"):
    ...         print((Path(folder) / "run").is_dir())
    True
    """
    with ExitStack() as held:
        for left in reversed(range(TRIES)):
            held.enter_context(making_folder(path))
            try:
                held.enter_context(_hold(path / LOCK, path))
                break
            except FileNotFoundError:  # another process had made it as well, and removed it
                if not left:
                    raise
        yield


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


@contextmanager
def _hold(lock: Path, what: Path) -> Iterator[None]:
    held = FileLock(lock, timeout=PATIENCE)
    try:
        held.acquire(poll_interval=PATIENCE / 10)
    except Timeout:
        raise InUseError(
            f"'{what}' is in use by {_owner(lock)}: wait until it ends, or name another"
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


def _owner(lock: Path) -> str:
    try:
        owner = lock.read_text(encoding="utf-8", errors="replace")[:LONGEST_OWNER]
    except OSError:
        owner = ""
    return owner.strip() or "another process"
