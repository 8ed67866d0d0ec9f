"""Files that appear complete or not at all, whatever happens while they are written."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

PART = ".part"  # how the name of a file ends that is not complete


def check_file_path(path: Path, *, replace: bool = True) -> None:
    """Raise ValueError if no file can be written to ``path``, or one is there and is to stay."""
    if not path.parent.is_dir():
        raise ValueError(f"there is no folder '{path.parent}' to write '{path.name}' to: make it")
    if path.is_dir():
        raise ValueError(f"'{path}' is a folder: name a file to write")
    if not replace and path.exists():
        raise _exists_already(path)


def write_file(path: Path, content: bytes, *, overwrite: bool = True) -> None:
    """Write a file that takes the place of ``path`` once all of it has reached the disk.

    A file that is replaced hands on its permissions; of a link, the file it points to is replaced.
    Without ``overwrite`` it is an error if there is a file by then.
    """
    check_file_path(path)
    target = path.resolve()
    temporary = target.with_name(f".{secrets.token_hex(8)}{PART}")
    try:
        with temporary.open("xb") as file:
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if not overwrite:
            target.touch(exist_ok=False)  # of several processes, one succeeds
        temporary.replace(target)
    except FileExistsError:
        raise _exists_already(path) from None
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
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


def _exists_already(path: Path) -> ValueError:
    return ValueError(f"'{path}' exists already: name another file (-o) or replace it (--force)")
