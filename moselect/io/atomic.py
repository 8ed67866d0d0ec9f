"""Atomic writes, so that files are complete or absent even after a crash, and locks."""

import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

PART = ".part"  # suffix of incomplete files


def check_suffix(path: Path, suffixes: Sequence[str]) -> str:
    """Return the suffix of a path in lower case; ValueError if it is none of some."""
    suffix = path.suffix.lower()
    if suffix not in suffixes:
        raise ValueError(
            f"cannot write '{path}': its name must end in {', '.join(suffixes)}"
        )
    return suffix


def write_file(path: Path, content: bytes, *, overwrite: bool = True) -> None:
    """Write a file under a temporary name, and rename it to ``path`` once it is on disk.

    Permissions of a replaced file are kept, and a symbolic link is followed. Without
    ``overwrite`` an existing file is an error.
    """
    target = path.resolve()
    # In the same folder, because a file is renamed atomically on one disk only.
    temporary = target.with_name(f".{secrets.token_hex(8)}{PART}")
    try:
        with temporary.open("xb") as file:
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            file.write(content)
            # The content is on the disk before the name points to it.
            file.flush()
            os.fsync(file.fileno())
        if overwrite:
            temporary.replace(target)
        else:
            _rename_to_new(temporary, target)
        # The rename is an entry of the folder, which some network disks, and Windows, cannot
        # flush.
        with suppress(OSError):
            descriptor = os.open(target.parent, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
    except FileExistsError:
        raise ValueError(
            f"'{path}' exists already: name another file, or replace it (overwrite=True)"
        ) from None
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        with suppress(OSError):  # of a disk that takes nothing, not even this
            temporary.unlink(missing_ok=True)


class InUseError(ValueError):
    """Another process is writing the same file or folder.

    Examples
    --------
    >>> issubclass(InUseError, ValueError)
    True
    """


# Seconds to wait for an owner that is about to release the lock.
LOCK_SECONDS = 0.2


@contextmanager
def hold(path: Path) -> Iterator[None]:
    """Lock a file or a folder against other writers.

    The operating system releases the lock when its owner ends or is killed. Parent folders
    are made, and removed if they stay empty.
    """
    from filelock import FileLock, Timeout  # slow

    target = path.resolve()
    lock = target.with_name(f".{target.name}.lock")
    with making_folder(target.parent):
        held = FileLock(lock, timeout=LOCK_SECONDS)
        try:
            held.acquire(poll_interval=LOCK_SECONDS / 10)
        except Timeout:
            raise InUseError(
                f"'{path}' is in use by another process: wait until it ends, or name another"
            ) from None
        try:
            yield
        finally:
            with suppress(OSError):  # Windows removes it when it is released
                lock.unlink()
            held.release()


@contextmanager
def making_folder(path: Path) -> Iterator[None]:
    """Make a folder and its parents; folders that stay empty are removed at the end."""
    made = [p for p in (path, *path.parents) if not p.exists()]
    path.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        with suppress(
            OSError
        ):  # not empty: something was written to it, if not by this process
            for folder in made:
                folder.rmdir()


def _rename_to_new(temporary: Path, target: Path) -> None:
    """Rename a file; FileExistsError if another process was faster."""
    try:
        target.hardlink_to(temporary)  # complete or absent, and never replaces a file
    except FileExistsError:
        raise
    except OSError:  # the disk has no links
        target.touch(exist_ok=False)
        temporary.replace(target)
