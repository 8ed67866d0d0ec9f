"""Files that appear complete or not at all, whatever happens while they are written."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from moselect.storage.run_parts import is_part_of_run

DEVICES = (Path("/dev"), Path("/dev/fd"), Path("/proc/self/fd"))
PART = ".part"  # how the name of a file ends that is not complete
ANYONE = 0o666  # the mode of a new file, before the user's umask


def check_file_path(path: Path, *, replace: bool = True) -> None:
    """Raise ValueError if no file can be written to ``path``, or one is there and is to stay.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     check_file_path(Path(folder) / "new.json", replace=False)
    """
    _check_writable(path)
    if is_part_of_run(path.resolve()):
        raise ValueError(f"'{path}' is part of what a search found: name another file")
    there = path.exists() or path.is_symlink()
    if there and not replace and not is_stream(path):
        raise ValueError(f"'{path}' exists already: name another file (-o) or replace it (--force)")


def _check_writable(path: Path) -> None:
    """Raise ValueError if ``path`` is no place for a file."""
    try:
        path.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise ValueError(f"'{path}' is a link that leads back to itself: remove it") from None
    if not path.parent.is_dir():
        raise ValueError(f"there is no folder '{path.parent}' to write '{path.name}' to: make it")
    if path.is_dir():
        raise ValueError(f"'{path}' is a folder: name a file to write")
    if path.is_block_device():
        raise ValueError(f"'{path}' is a disk: name a file to write")


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that replaces ``path`` once all of it has reached the disk.

    A file that is replaced hands on its permissions; of a link, the file that it points to is
    replaced. Pipes and devices other than disks, which cannot be replaced, are written to.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(Path(folder) / "notes.txt") as file:
    ...         _ = file.write(b"all or nothing")
    ...     (Path(folder) / "notes.txt").read_text()
    'all or nothing'
    """
    _check_writable(path)
    if is_stream(path):
        with path.open("ab") as stream:
            yield stream
        return
    target = path.resolve()
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    # Nobody can guess this name and plant a link there, and O_EXCL would not follow one.
    temporary = target.with_name(f".{secrets.token_hex(8)}{PART}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(temporary, flags, ANYONE if mode is None else mode)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None  # not its temporary name
    try:
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None:
                temporary.chmod(mode)
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        if error.errno is None or error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error  # a full disk names none
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk, where the system can do that."""
    if os.name != "posix":
        return
    with suppress(OSError):  # some network disks cannot; the files themselves are written
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def is_stream(path: Path) -> bool:
    """Return whether ``path`` is a pipe, a device, or a name such as /dev/stdout for a file."""
    return path.exists() and (path.absolute().parent in DEVICES or not path.is_file())
