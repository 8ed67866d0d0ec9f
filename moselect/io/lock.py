"""File locks: one writer at a time for a file or a run folder."""

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import count
from pathlib import Path

from filelock import FileLock, Timeout

from moselect.io.run_record import RECORD, UNFINISHED


class InUseError(ValueError):
    """Another process is writing the same file or folder.

    Examples
    --------
    >>> issubclass(InUseError, ValueError)
    True
    """


@contextmanager
def hold(path: Path) -> Iterator[None]:
    """Lock a file or a folder against other writers.

    The operating system releases the lock when its owner ends or is killed. Parent folders
    are made, and removed if they stay empty.
    """
    target = path.resolve()
    lock = target.with_name(f".{target.name}.lock")
    with making_folder(target.parent):
        # Seconds to wait for an owner that is about to release the lock.
        patience = 0.2
        held = FileLock(lock, timeout=patience)
        try:
            held.acquire(poll_interval=patience / 10)
        except Timeout:
            owner = ""
            with suppress(OSError):
                owner = lock.read_text(encoding="utf-8").strip()
            raise InUseError(
                f"'{path}' is in use by {owner or 'another process'}: wait until it ends, or name "
                "another"
            ) from None
        try:
            with suppress(OSError):  # Windows does not write to locked files
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


def check_run_path(path: Path, *, force: bool) -> None:
    """Raise ValueError if a run cannot be written to ``path``."""
    if path.exists() and not path.is_dir():
        raise ValueError(f"'{path}' is a file: name a folder for the run")
    if not path.exists() or not any(path.iterdir()):
        return
    if not force:
        unfinished = (path / UNFINISHED / RECORD).exists()
        also = f", resume it (resume={path})" if unfinished else ""
        raise ValueError(
            f"'{path}' exists already: name another folder{also} or replace it (force=True)"
        )
    if not (path / RECORD).exists() and not (path / UNFINISHED).exists():
        raise ValueError(
            f"'{path}' is not a run folder, so it is not replaced: name another one"
        )


@contextmanager
def claim_run(path: Path, *, force: bool = False) -> Iterator[Path]:
    """Make a run folder, and lock it against other writers.

    Parameters
    ----------
    path : Path
        The folder; an empty one is removed at the end.
    force : bool, default=False
        Whether an earlier run there may be replaced.

    Raises
    ------
    InUseError
        If another process has locked the folder.
    ValueError
        If the path exists and must not be replaced.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with claim_run(Path(folder) / "run") as path:
    ...         print(path.name)
    run
    """
    with hold(path):
        check_run_path(path, force=force)
        with making_folder(path):
            yield path


@contextmanager
def claim_new_run(name: str) -> Iterator[Path]:
    """Make and lock the first run folder ``runs/<name>-<number>`` that does not exist."""
    runs = Path("runs")
    with making_folder(runs):
        for number in count(1):
            path = runs / f"{name}-{number:03d}"
            with suppress(FileExistsError):  # another search may be quicker
                path.mkdir()
                break
        try:
            with claim_run(path):
                yield path
        finally:
            with suppress(OSError):  # not empty: something was written to it
                path.rmdir()
