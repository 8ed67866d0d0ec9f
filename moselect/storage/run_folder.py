"""Run folders from outside: which one a search may write to, and how it begins and ends there."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from moselect.datasets import Dataset
from moselect.search import ParetoSearch
from moselect.storage.atomic import PART, RECORD, replacing
from moselect.storage.checkpoints import Checkpoints
from moselect.storage.documents import as_json
from moselect.storage.lock import InUseError, hold, making_folder
from moselect.storage.run_record import BegunRecord, describe, read_record

UNFINISHED = "unfinished"  # where a search that has not ended has its record and states
REPLACED = f"{UNFINISHED}.replaced"  # states of an older search, until a new one has begun


def new_run_path(name: str, parent: str = "runs") -> Path:
    """Return the first ``runs/<name>-<number>`` that does not exist yet."""
    number = 1
    while (path := Path(parent) / f"{name}-{number:03d}").exists():
        number += 1
    return path


def check_run_path(path: Path, *, force: bool) -> None:
    """Raise ValueError if a run cannot be written to ``path``."""
    if path.resolve() == Path.cwd():
        raise ValueError("the run would replace this folder: name one in it (--out)")
    obstacle = next((p for p in path.parents if p.exists() and not p.is_dir()), None)
    if obstacle is not None:
        raise ValueError(f"'{path}' cannot be made: '{obstacle}' is a file")
    if path.exists() and not path.is_dir():
        raise ValueError(f"'{path}' is a file: name a folder for the run (--out)")
    if not path.exists() or not any(path.iterdir()):
        return
    if not force:
        unfinished = (path / UNFINISHED / RECORD).is_file()
        also = f", go on with it (--resume {path})" if unfinished else ""
        raise ValueError(
            f"'{path}' exists already: name another folder (--out){also} or replace it (--force)"
        )
    if not _is_run(path):
        raise ValueError(f"'{path}' is not a run folder, so it is not replaced: name another one")


@contextmanager
def claim_run(path: Path, *, force: bool = False) -> Iterator[Path]:
    """Make a run folder and be its only writer for a while.

    Parameters
    ----------
    path : Path
        The folder; it is removed at the end if nothing was written to it.
    force : bool, default=False
        Whether an earlier run there may be replaced.

    Raises
    ------
    InUseError
        If another process writes there.
    ValueError
        If something is there that must not be replaced.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with claim_run(Path(folder) / "run") as path:
    ...         print(path.name)
    run
    """
    check_run_path(path, force=force)
    with hold(path):
        check_run_path(path, force=force)  # another search may have ended there meanwhile
        with making_folder(path):
            yield path


@contextmanager
def claim_new_run(name: str) -> Iterator[Path]:
    """Be the only writer of the first ``runs/<name>-<number>`` that is free."""
    with ExitStack() as held:
        while True:
            path = new_run_path(name)
            try:
                held.enter_context(claim_run(path))
                break
            except InUseError:
                continue  # another search was quicker
            except ValueError:
                if not path.exists():
                    raise  # nor can it be made
        yield path


@contextmanager
def begin_run(
    path: Path,
    search: ParetoSearch,
    data: Dataset,
    loaded_by: Mapping[str, Any] | None = None,
) -> Iterator[Checkpoints]:
    """Record a search that begins, and yield the folder of its checkpoints.

    The earlier content of ``path`` stays until `write_run` replaces it. If the search cannot begin
    (bad input), or is interrupted before it has found anything, all is as it was before.
    """
    folder, replaced = path / UNFINISHED, path / REPLACED
    record = as_json(describe(search, data, loaded_by))
    with making_folder(path):
        remove(replaced)
        if folder.exists():
            folder.rename(replaced)
        folder.mkdir()
        try:
            with replacing(folder / RECORD) as file:
                file.write(record)
            yield Checkpoints(folder)
        except (OSError, TypeError, ValueError, KeyboardInterrupt):
            if not any(folder.glob("*.npz")):
                shutil.rmtree(folder)
                if replaced.exists():
                    replaced.rename(folder)
            raise
        finally:
            remove(replaced)


def read_unfinished(path: Path) -> dict[str, Any] | None:
    """Read what was recorded when the search in a run folder began; None if it has ended.

    Raises
    ------
    ValueError
        If there is no search in the folder, or its record is damaged or of another schema.
    """
    folder = path / UNFINISHED
    if folder.is_symlink():
        raise ValueError(f"'{folder}' is a link, which moselect never makes: begin anew")
    if (folder / RECORD).is_file():
        return read_record(folder / RECORD, BegunRecord)
    if (path / RECORD).is_file():
        return None
    if folder.is_dir():
        raise ValueError(
            f"there are no checkpoints in '{path}' yet: begin anew (--out {path} --force)"
        )
    raise ValueError(f"there is no search in '{path}': name the run folder of one")


def checkpoints_of(path: Path) -> Checkpoints:
    """Return the checkpoints of the search that was begun in a run folder."""
    return Checkpoints(path / UNFINISHED)


def end_run(path: Path) -> None:
    """Remove the states of a search that has ended, and files that a killed one left halfway."""
    for part in path.glob(f".*{PART}"):
        part.unlink()
    for name in (UNFINISHED, REPLACED):
        remove(path / name)


def remove(folder: Path) -> None:
    """Remove a folder with all that is in it, if it is there; of a link, the link."""
    if folder.is_symlink():
        folder.unlink()
    else:
        shutil.rmtree(folder, ignore_errors=True)


def _is_run(path: Path) -> bool:
    """Return whether a search of this version or another wrote a folder, or began to."""
    if any(_is_record(folder / RECORD) for folder in (path, path / UNFINISHED)):
        return True
    begun = path / UNFINISHED  # perhaps it was killed before its record was written
    return begun.is_dir() and all(p.suffix == PART for p in begun.iterdir())


def _is_record(path: Path) -> bool:
    try:
        record = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(record, dict) and {"schema", "data", "settings"} <= record.keys()
