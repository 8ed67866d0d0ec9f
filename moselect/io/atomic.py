"""Atomic writes: a file is complete or absent, even after a crash or on a full disk."""

import os
import secrets
import shutil
import stat
from contextlib import suppress
from pathlib import Path

PART = ".part"  # suffix of incomplete files


def check_file_path(path: Path, *, replace: bool = True) -> None:
    """Raise ValueError if ``path`` cannot be written, or must not be replaced."""
    if not path.parent.is_dir():
        raise ValueError(
            f"there is no folder '{path.parent}' to write '{path.name}' to: make it"
        )
    if path.is_dir():
        raise ValueError(f"'{path}' is a folder: name a file to write")
    if not replace and path.exists():
        raise _exists_already(path)


def write_file(
    path: Path, content: bytes, *, overwrite: bool = True, follow: bool = True
) -> None:
    """Write a file under a temporary name, and rename it to ``path`` once it is on disk.

    Permissions of a replaced file are kept. A symbolic link is followed; without
    ``follow``, as inside a run folder, the link itself is replaced. Without ``overwrite``
    an existing file is an error.
    """
    check_file_path(path)
    target = path.resolve() if follow else path
    temporary = target.with_name(f".{secrets.token_hex(8)}{PART}")
    try:
        with temporary.open("xb") as file:
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if overwrite:
            temporary.replace(target)
        else:
            _rename_to_new(temporary, target)
    except FileExistsError:
        raise _exists_already(path) from None
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        with suppress(OSError):  # of a disk that takes nothing, not even this
            temporary.unlink(missing_ok=True)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Flush the entries of a folder to the disk, on systems that support it."""
    if os.name != "posix":
        return
    with suppress(OSError):  # some network disks cannot; the files themselves are written
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def make_folder(path: Path) -> None:
    """Make a folder inside a run folder; a symbolic link in its place is removed."""
    if path.is_symlink():
        path.unlink()
    path.mkdir(exist_ok=True)


def remove_folder(path: Path) -> None:
    """Remove a folder with its content, if it exists; of a symbolic link only the link."""
    if path.is_symlink():
        path.unlink()
    else:
        shutil.rmtree(path, ignore_errors=True)


def _rename_to_new(temporary: Path, target: Path) -> None:
    """Rename a file; FileExistsError if another process was faster."""
    try:
        target.hardlink_to(temporary)  # complete or absent, and never replaces a file
    except FileExistsError:
        raise
    except OSError:  # the disk has no links
        target.touch(exist_ok=False)
        temporary.replace(target)


def _exists_already(path: Path) -> ValueError:
    return ValueError(
        f"'{path}' exists already: name another file, or replace it (overwrite=True)"
    )
