"""Run folders from outside: which one a search may write to, and how it begins and ends there."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from moselect.storage.atomic import PART, replacing
from moselect.storage.checkpoints import Checkpoints
from moselect.storage.documents import as_json
from moselect.storage.lock import InUseError, hold, making_folder
from moselect.storage.run_record import RECORD, UNFINISHED, describe

if TYPE_CHECKING:
    from moselect.datasets import Dataset
    from moselect.search import ParetoSearch


def check_run_path(path: Path, *, force: bool) -> None:
    """Raise ValueError if a run cannot be written to ``path``."""
    if path.resolve() == Path.cwd():
        raise ValueError("the run would replace this folder: name one in it (--out)")
    if path.exists() and not path.is_dir():
        raise ValueError(f"'{path}' is a file: name a folder for the run (--out)")
    if not path.exists() or not any(path.iterdir()):
        return
    if not force:
        also = f", go on with it (--resume {path})" if (path / UNFINISHED / RECORD).exists() else ""
        raise ValueError(
            f"'{path}' exists already: name another folder (--out){also} or replace it (--force)"
        )
    if not (path / RECORD).exists() and not (path / UNFINISHED).exists():
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
    with hold(path):
        check_run_path(path, force=force)
        with making_folder(path):
            yield path


@contextmanager
def claim_new_run(name: str) -> Iterator[Path]:
    """Be the only writer of the first ``runs/<name>-<number>`` that is free."""
    with ExitStack() as held:
        for number in count(1):
            path = Path("runs") / f"{name}-{number:03d}"
            try:
                if not path.exists():
                    held.enter_context(claim_run(path))
                    break
            except InUseError:
                continue  # another search was quicker
            except ValueError:
                if not path.exists():  # nor can it be made
                    raise
        yield path


@contextmanager
def begin_run(
    path: Path,
    search: ParetoSearch,
    data: Dataset,
    loaded_by: Mapping[str, Any] | None = None,
) -> Iterator[Checkpoints]:
    """Record a search that begins, and yield the folder of its checkpoints.

    A finished run in ``path`` stays until `write_run` replaces it. If the search cannot begin
    (bad input), or is interrupted before it has found anything, nothing of it is left.
    """
    folder = path / UNFINISHED
    record = as_json(describe(search, data, loaded_by))
    with making_folder(path):
        remove(folder)
        folder.mkdir()
        try:
            with replacing(folder / RECORD) as file:
                file.write(record)
            yield Checkpoints(folder)
        except (OSError, TypeError, ValueError, KeyboardInterrupt):
            if not any(folder.glob("*.npz")):
                remove(folder)
            raise


def end_run(path: Path) -> None:
    """Remove the states of a search that has ended, and files that a killed one left halfway."""
    for part in path.glob(f".*{PART}"):
        part.unlink()
    remove(path / UNFINISHED)


def remove(folder: Path) -> None:
    """Remove a folder with all that is in it, if it is there; of a link, the link."""
    if folder.is_symlink():
        folder.unlink()
    else:
        shutil.rmtree(folder, ignore_errors=True)
