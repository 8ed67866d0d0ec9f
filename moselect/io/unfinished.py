"""The folder of a run until its search has ended: claims of it, its record and checkpoints."""

import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from moselect._types import Document
from moselect.datasets import Dataset
from moselect.io.archives import Archive
from moselect.io.atomic import PART, hold, making_folder, write_file
from moselect.io.documents import as_json
from moselect.io.run_record import RECORD, UNFINISHED, describe
from moselect.io.table_file import write_dataset
from moselect.search.settings import SearchSettings
from moselect.search.swarm import State

CHECKPOINT = "state of a run, schema 3"


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
    # The path is checked once no other process can change it.
    with hold(path):
        check_run_path(path, force=force)
        with making_folder(path):
            yield path


@contextmanager
def claim_new_run(name: str) -> Iterator[Path]:
    """Make and lock the first run folder ``runs/<name>-<number>`` that does not exist."""
    runs = Path("runs")
    with making_folder(runs):
        # Making a folder is atomic: of several searches one gets the number.
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


class Checkpoints:
    """Checkpoints of the runs of a search in a folder: the last state of each run.

    Parameters
    ----------
    folder : Path
        An existing folder.

    Notes
    -----
    If the disk is full, the search continues with a warning and keeps the earlier
    checkpoint.

    Examples
    --------
    >>> import tempfile
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     search = moselect.ParetoSearch(n_iterations=5, random_state=1)
    ...     search = search.fit(X, y, checkpoints=Checkpoints(Path(folder)))
    ...     [path.name for path in Path(folder).iterdir()]
    ['run-000.npz']
    """

    NAME = "run-{:03d}"

    def __init__(self, folder: Path) -> None:
        self._archive = Archive(folder, CHECKPOINT)

    def load(self, run: int) -> State | None:
        """Return the last state of a run, or None; warns if it is damaged."""
        name = self.NAME.format(run)
        state = self._archive.find(name)
        file = self._archive.path(name)
        if state is None and file.exists():
            warnings.warn(
                f"the checkpoint '{file}' is damaged or of another "
                "version: this run begins anew",
                stacklevel=2,
            )
        return state

    def save(self, run: int, state: State) -> None:
        """Write a state of a run; warns if that fails."""
        self._archive.keep(self.NAME.format(run), state)


@contextmanager
def begin_run(
    path: Path,
    settings: SearchSettings,
    data: Dataset,
    loaded_by: Document | None = None,
) -> Iterator[Checkpoints]:
    """Write the record of a search at its start, and yield its checkpoints.

    A finished run in ``path`` remains until `write_run` replaces it. If the search fails
    on bad input, or is interrupted before its first checkpoint, its files are removed.
    """
    folder = path / UNFINISHED
    # Settings that cannot be recorded are an error before the earlier run changes.
    record = as_json(describe(settings, data, loaded_by))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        write_dataset(folder, data)
        write_file(folder / RECORD, record)
        yield Checkpoints(folder)
    except (OSError, TypeError, ValueError, KeyboardInterrupt):
        # Without a checkpoint there is nothing to resume.
        if not any(folder.glob("run-*.npz")):
            shutil.rmtree(folder, ignore_errors=True)
        raise


def end_run(path: Path) -> None:
    """Remove the checkpoints of a finished search, and incomplete files of killed ones."""
    for part in path.glob(f".*{PART}"):
        part.unlink()
    shutil.rmtree(path / UNFINISHED, ignore_errors=True)
