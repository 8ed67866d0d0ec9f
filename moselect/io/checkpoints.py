"""Checkpoints of an unfinished search: its settings and the last state of each run."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from moselect._types import Document
from moselect.io.atomic import PART, remove_folder, write_file
from moselect.io.documents import as_json
from moselect.io.packed import Archive
from moselect.io.run_record import RECORD, UNFINISHED, describe

if TYPE_CHECKING:
    from moselect.datasets import Dataset
    from moselect.search import ParetoSearch
    from moselect.search.swarm import State

CHECKPOINT = b"state of a run, schema 3"


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

    def __init__(self, folder: Path) -> None:
        self._archive = Archive(folder, CHECKPOINT)

    def load(self, run: int) -> State | None:
        """Return the last state of a run, or None; warns if it is damaged."""
        name = _name(run)
        state = self._archive.find(name)
        if state is None and name in self._archive:
            warnings.warn(
                f"the checkpoint '{self._archive.path(name)}' is damaged or of another "
                "version: this run begins anew",
                UserWarning,
                stacklevel=2,
            )
        return state

    def save(self, run: int, state: State) -> None:
        """Write a state of a run; warns if that fails."""
        self._archive.keep(_name(run), state)


def _name(run: int) -> str:
    return f"run-{run:03d}"


@contextmanager
def begin_run(
    path: Path,
    search: ParetoSearch,
    data: Dataset,
    loaded_by: Document | None = None,
) -> Iterator[Checkpoints]:
    """Write the record of a search at its start, and yield its checkpoints.

    A finished run in ``path`` remains until `write_run` replaces it. If the search fails
    on bad input, or is interrupted before its first checkpoint, its files are removed.
    """
    folder = path / UNFINISHED
    record = as_json(describe(search, data, loaded_by))
    remove_folder(folder)
    folder.mkdir(parents=True)
    try:
        write_file(folder / RECORD, record)
        yield Checkpoints(folder)
    except (OSError, TypeError, ValueError, KeyboardInterrupt):
        if not any(folder.glob("*.npz")):
            remove_folder(folder)
        raise


def end_run(path: Path) -> None:
    """Remove the checkpoints of a finished search, and incomplete files of killed ones."""
    for part in path.glob(f".*{PART}"):
        part.unlink()
    remove_folder(path / UNFINISHED)
